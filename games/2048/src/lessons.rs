//! What newcomers are shown, page by page. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson { options: "", position: Some("2,0,0,2/0,4,0,0/0,0,8,0/2,0,0,16 40"), example: Some("right") },
    Lesson { options: "", position: Some("2,2,4,0/4,4,4,4/2,2,2,0/8,0,8,0 0"), example: Some("left") },
    Lesson { options: "", position: Some("4,4,0,0/8,8,0,0/4,2,0,0/16,0,0,0 40+"), example: Some("@2,3=2") },
    Lesson {
        options: "",
        position: Some("2048,1024,512,256/16,32,64,128/8,4,2,4/2,8,4,2 24000"),
        example: None,
    },
];
