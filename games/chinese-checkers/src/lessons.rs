//! What newcomers are taught.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "The star",
        text: "Two to six seats, each with ten marbles of one colour (or of two or three colours), cross the star: who first has all of his \
               marbles in the triangle opposite wins.\n\
               Places are named by row and column, two digits each: 0012 is the top of the star.",
        options: "seats=g/y/o/r/p/b",
        position: None,
        example: None,
    },
    Lesson {
        title: "Stepping",
        text: "On your turn you move one marble. It may step into one of the six neighbouring holes, if that is empty.",
        options: "",
        position: None,
        example: Some("0309-0410"),
    },
    Lesson {
        title: "Hopping",
        text: "Or it hops over a neighbouring marble, whoever's it is, into the empty hole directly beyond; and on from there, as often as it can and \
               you like. Nothing is captured.\n\
               Only start and end of a chain are written: 0111-0511 is a marble that hopped twice.",
        options: "",
        position: Some("g/gg/ggg/1gg1/5g1g5/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 4"),
        example: Some("0111-0511"),
    },
    Lesson {
        title: "The end",
        text: "goal=strict: you win when all of your marbles are in their target. goal=fill: when the target is full and one of them is yours, so \
               that nobody can hold a place against you.\n\
               The others are ranked by marbles that arrived, then by the way that they had left. After 300 rounds (option rounds) it is a draw.",
        options: "",
        position: None,
        example: None,
    },
];
