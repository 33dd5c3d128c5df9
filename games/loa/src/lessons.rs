//! The rules as newcomers are shown them, page by page: the boards. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson::start(""),
    Lesson::start("").moving(7, 6),
    Lesson::start("").after("0,2-2,0"),
    Lesson::start("").after("@0,0").part((0, 0), (3, 3)),
    Lesson::at("", "8/2b5/3b4/8/4ww2/5w2/1b6/8 b 40"),
    Lesson::start("rules=standard"),
];
