//! The rules as newcomers are shown them, page by page: the boards. The words are in the messages.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson::at("", "2,0,0,2/0,4,0,0/0,0,8,0/2,0,0,16 40").after("right"),
    Lesson::at("", "2,2,4,0/4,4,4,4/2,2,2,0/8,0,8,0 0").after("left"),
    Lesson::at("", "4,4,0,0/8,8,0,0/4,2,0,0/16,0,0,0 40+").after("@2,3=2"),
    Lesson::at("", "2048,1024,512,256/16,32,64,128/8,4,2,4/2,8,4,2 24000"),
    Lesson::at("", "0,0,0,2/0,0,0,0/2,0,0,0/0,0,0,0 0").after("down"),
];
