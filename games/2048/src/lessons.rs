//! What newcomers are taught.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "Sliding",
        text: "A move slides all tiles to one side: left, right, up or down - by arrow keys or W A S D. A move must change something.",
        options: "",
        position: Some("2,0,0,2/0,4,0,0/0,0,8,0/2,0,0,16 40"),
        example: Some("right"),
    },
    Lesson {
        title: "Merging",
        text: "Equal tiles that meet become one of twice the value, which scores that value. The pair nearest to the side goes first, and a tile \
               merges once in a move: 2 2 4 becomes 4 4, not 8.",
        options: "",
        position: Some("2,2,4,0/4,4,4,4/2,2,2,0/8,0,8,0 0"),
        example: Some("left"),
    },
    Lesson {
        title: "Chance",
        text: "After each move a tile appears on an empty cell: a 2 nine times in ten, else a 4. A race gives two players the same luck: the \
               k-th tile of both comes from the same random number.",
        options: "",
        position: Some("4,4,0,0/8,8,0,0/4,2,0,0/16,0,0,0 40+"),
        example: Some("@2,3=2"),
    },
    Lesson {
        title: "The end",
        text: "When no move changes anything the game is over. It is won if a tile of 2048 or more is on the board; you may go on beyond it for a \
               higher score.\n\
               Keep the largest tile in a corner and build towards it.",
        options: "",
        position: Some("2048,1024,512,256/16,32,64,128/8,4,2,4/2,8,4,2 24000"),
        example: None,
    },
];
