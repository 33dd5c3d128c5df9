//! What newcomers are taught.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "The aim",
        text: "Bring all of your pieces into one group. Pieces that touch, also by their corners, belong together; a single piece is a \
               group by itself.\n\
               Black stands above and below, white on the left and on the right. Black begins.",
        options: "",
        position: None,
        example: None,
    },
    Lesson {
        title: "Moving",
        text: "A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces of both colours on that whole line.\n\
               It may jump over pieces of its own side, not over others. Here column 6 holds two pieces: the one on 7,6 goes two squares, to 5,6.",
        options: "",
        position: None,
        example: Some("7,6-5,6"),
    },
    Lesson {
        title: "Capturing",
        text: "A move that ends on an enemy captures it; on a piece of its own side it may not end.\n\
               Be careful with captures: fewer pieces are easier to bring together.",
        options: "",
        position: None,
        example: Some("0,2-2,0"),
    },
    Lesson {
        title: "Turning blocks",
        text: "Instead of moving a piece you may turn a block of 2×2 squares clockwise by a quarter, if at least one piece in it is yours. The \
               move is named by the block's top left square: @0,0.\n\
               Under rules=standard, those of Claude Soucie's game, blocks do not turn.",
        options: "",
        position: None,
        example: Some("@0,0"),
    },
    Lesson {
        title: "The end",
        text: "After a move: if one side's pieces are all connected, it has won, whoever moved; if both are, it is a draw.\n\
               After 100 turns each (option turns) the game is a draw; the number turns red for the last ten.\n\
               Here white has one group, black two: white has won.",
        options: "",
        position: Some("8/2b5/3b4/8/4ww2/5w2/1b6/8 b 40"),
        example: None,
    },
];
