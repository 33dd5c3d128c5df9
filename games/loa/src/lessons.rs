//! What newcomers are shown, page by page. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson { options: "", position: None, example: None },
    Lesson { options: "", position: None, example: Some("7,6-5,6") },
    Lesson { options: "", position: None, example: Some("0,2-2,0") },
    Lesson { options: "", position: None, example: Some("@0,0") },
    Lesson { options: "", position: Some("8/2b5/3b4/8/4ww2/5w2/1b6/8 b 40"), example: None },
];
