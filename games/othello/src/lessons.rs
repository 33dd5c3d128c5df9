//! What newcomers are shown, page by page. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson { options: "", position: None, example: None },
    Lesson { options: "", position: None, example: Some("d3") },
    Lesson { options: "size=4", position: Some("ooox/ooxx/ooxx/1oxx o"), example: None },
    Lesson { options: "size=4", position: Some("xxxx/xxox/xoox/oooo x"), example: None },
];
