//! The rules as newcomers are shown them, page by page: the boards. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson::start(""),
    Lesson::at("", "9/9/2w6/9/4k4/9/9/9/9 w 10").moving(2, 2).part((1, 0), (3, 5)),
    Lesson::at("", "9/9/b2wb4/9/4k4/9/9/9/9 b 20").after("a3c3").part((1, 0), (3, 5)),
    Lesson::at("", "9/9/2b6/9/3w5/9/6k2/9/9 b 20").after("c3c5").part((2, 1), (5, 6)),
    Lesson::at("", "9/9/4w4/7b1/9/6k2/9/9/9 b 20").after("h4e4").part((0, 2), (4, 7)),
    Lesson::at("", "9/9/4b4/9/3bkb3/4b4/9/9/9 b 30").after("e3e4").part((2, 2), (6, 6)),
    Lesson::at("", "9/9/2b6/3bkb3/9/9/9/9/9 b 30").after("c3e3").part((2, 2), (4, 6)),
    Lesson::at("", "9/7b1/5bk2/9/9/9/9/9/9 b 30").after("h2h3").part((1, 4), (3, 8)),
    Lesson::at("", "9/9/9/9/3b2k2/9/9/9/9 w 30").after("g5g9"),
    Lesson::start("rules=bologna"),
];
