//! The rules as newcomers are shown them, page by page: the boards. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson::start("seats=g/y/o/r/p/b"),
    Lesson::start("").moving(3, 9).part((0, 6), (5, 18)),
    Lesson::at("", "g/gg/ggg/1gg1/5g1g5/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 4")
        .after("0111-0511")
        .part((0, 6), (7, 18)),
    Lesson::at("", "r/rr/rrr/rrrr/13/12/11/10/9/10/11/12/13/gggg/ggg/gg/g r 200"),
    Lesson::start("seats=gr/yp/ob"),
];
