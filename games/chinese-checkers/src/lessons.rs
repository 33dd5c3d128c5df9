//! What newcomers are shown, page by page. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson { options: "seats=g/y/o/r/p/b", position: None, example: None },
    Lesson { options: "", position: None, example: Some("0309-0410") },
    Lesson {
        options: "",
        position: Some("g/gg/ggg/1gg1/5g1g5/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 4"),
        example: Some("0111-0511"),
    },
    Lesson { options: "", position: None, example: None },
];
