//! What newcomers are shown, page by page. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson { options: "", position: None, example: None },
    Lesson { options: "", position: None, example: Some("d1d3") },
    Lesson { options: "", position: Some("9/9/b2wb4/9/4k4/9/9/9/9 b 20"), example: Some("a3c3") },
    Lesson { options: "", position: Some("9/9/9/9/3b2k2/9/9/9/9 w 30"), example: Some("g5g9") },
    Lesson { options: "", position: None, example: None },
];
