//! The rules as newcomers are shown them, page by page: the boards. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson::start(""),
    Lesson::start("").after("d3"),
    Lesson::at("size=4", "ooox/ooxx/ooxx/1oxx o"),
    Lesson::at("size=4", "xxxx/xxox/xoox/oooo x"),
];
