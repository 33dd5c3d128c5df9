//! What newcomers are taught.

use agon_core::view::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        title: "Two sides",
        text: "The king (k) sits in his castle on e5 with eight defenders (w) around him. Sixteen attackers (b) wait in four camps at \
               the edges; they begin.\n\
               The king wants to reach an edge square that is no camp. The attackers want to capture him first.",
        options: "",
        position: None,
        example: None,
    },
    Lesson {
        title: "Moving",
        text: "Every piece, the king too, moves any distance along a row or a column over empty squares.\n\
               Nobody moves onto or across the castle. Camps are closed: only an attacker who has not left his camp yet may move within it.",
        options: "",
        position: None,
        example: Some("d1d3"),
    },
    Lesson {
        title: "Capturing",
        text: "After your move an enemy next to the piece that moved is captured if beyond it, in the same line, there is another piece of \
               yours, a camp square or the castle. Several can fall at once. A piece that moves between two enemies itself is safe.\n\
               Here the attacker from a3 has moved to c3: the defender on d3 was between him and the one on e3.",
        options: "",
        position: Some("9/9/b2wb4/9/4k4/9/9/9/9 b 20"),
        example: Some("a3c3"),
    },
    Lesson {
        title: "The king",
        text: "On his castle the king falls only to attackers on all four sides; next to it, on the three other sides; elsewhere like everybody else.\n\
               Here nothing stands between him and the edge: he leaves by g9 and has won.",
        options: "",
        position: Some("9/9/9/9/3b2k2/9/9/9/9 w 30"),
        example: Some("g5g9"),
    },
    Lesson {
        title: "The end",
        text: "The king on an exit wins for the defenders, his capture for the attackers. Who cannot move loses.\n\
               After 100 moves (or as the option limit says) the game is a draw; the number of the move turns red for the last ten.\n\
               Under rules=bologna, those of the Tablut Challenge, there is no limit, but a position that comes again is a draw.",
        options: "",
        position: None,
        example: None,
    },
];
