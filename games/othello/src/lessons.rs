//! What newcomers are taught.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "The board",
        text: "Black (x) and white (o) put discs on the squares in turn; black begins.\n\
               Every disc has a black and a white side: it can change hands many times, but it never leaves its square.",
        options: "",
        position: None,
        example: None,
    },
    Lesson {
        title: "Enclosing",
        text: "Put a disc on an empty square so that a straight line of enemy discs - across, down or diagonal - lies between it and \
               another disc of yours. All discs of such lines turn over, in all eight directions at once.\n\
               Here black has played d3: the white disc on d4 was enclosed between d3 and d5 and is black now.",
        options: "",
        position: None,
        example: Some("d3"),
    },
    Lesson {
        title: "Passing",
        text: "A move must turn at least one disc. Who has no such move passes; who has one may not.\n\
               Here white has no move: nothing on a4 would be enclosed. Black plays on.",
        options: "size=4",
        position: Some("ooox/ooxx/ooxx/1oxx o"),
        example: None,
    },
    Lesson {
        title: "The end",
        text: "When neither side can move, the discs are counted. More discs win; equal numbers are a draw.\n\
               Many discs in the middle of the game are no advantage: what counts is to have moves, and the corners, which can never be turned.",
        options: "size=4",
        position: Some("xxxx/xxox/xoox/oooo x"),
        example: None,
    },
];
