//! The colours behind the names that games use: roles of pieces, surfaces of boards.

use agon_core::view::{BY_NUMBER, Ornament, Piece, Style};

/// What a board of some surface is painted with, as `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surface {
    /// Cells by turns, so that they are told apart.
    pub(super) cells: [u32; 2],
    /// Hatched and crossed ones.
    pub(super) hatched: u32,
    pub(super) crossed: u32,
    /// Lines, holes, and what is drawn on the ground.
    pub(super) line: u32,
    /// The place of a tile that is not there.
    pub(super) gap: u32,
}

const FELT: Surface = Surface {
    cells: [0x2F_8A_5A, 0x2B_80_53],
    hatched: 0x22_66_42,
    crossed: 0x1B_52_35,
    line: 0x14_49_2E,
    gap: 0x2B_80_53,
};
const WOOD: Surface = Surface {
    cells: [0xA8_7B_4B, 0x9C_70_42],
    hatched: 0x7A_58_34,
    crossed: 0x5E_46_2C,
    line: 0x41_29_0F,
    gap: 0x9C_70_42,
};
const TRAY: Surface = Surface {
    cells: [0x1C_26_30, 0x1C_26_30],
    hatched: 0x2C_3A_46,
    crossed: 0x5F_70_80,
    line: 0x8A_9A_A8,
    gap: 0x2C_3A_46,
};

fn known_surface(name: &str) -> Option<Surface> {
    match name {
        "felt" => Some(FELT),
        "wood" => Some(WOOD),
        "tray" => Some(TRAY),
        _ => None,
    }
}

/// The colours of a surface; one that nobody knows is wood.
pub(super) fn surface(name: &str) -> Surface {
    known_surface(name).unwrap_or(WOOD)
}

/// A role that nobody knows.
const UNKNOWN: u32 = 0xFF_FF_FF;
/// What is crowned.
const CROWNED: u32 = 0xFF_D8_5C;

fn known_role(role: &str) -> Option<u32> {
    Some(match role {
        "black" => 0x0E_11_15,
        "white" => 0xFB_F8_F0,
        "green" => 0x3D_DC_A6,
        "yellow" => 0xFF_F2_7A,
        "orange" => 0xFF_9A_1F,
        "red" => 0xEE_33_50,
        "purple" => 0xBF_90_FE,
        "blue" => 0x30_80_C6,
        _ => return None,
    })
}

/// The colours of numbers, each for twice the one before, from 2 on.
const NUMBERS: [u32; 17] = [
    0xE8_ED_F2, 0xF3_E3_AE, 0xFF_CE_7A, 0xFF_AE_5C, 0xFF_8F_66, 0xFF_74_74, 0xF5_8F_BC, 0xE9_A8_F2,
    0xA6_72_F2, 0x9C_C4_FF, 0xFF_D8_3D, 0x5B_C0_F0, 0x4F_D6_CF, 0x3D_DC_A6, 0x8F_E0_70, 0xCB_E8_5A,
    0xFF_FF_FF,
];

fn of_number(number: u32) -> u32 {
    let index = number.max(2).ilog2() as usize - 1;
    NUMBERS[index.min(NUMBERS.len() - 1)]
}

/// The colour of a ground that has one.
pub(super) fn of_ground(style: &Style) -> Option<u32> {
    style.colour.map(|role| known_role(role).unwrap_or(UNKNOWN))
}

/// The colour of a piece.
pub(crate) fn of_piece(piece: Piece, style: Option<&Style>) -> u32 {
    let role = style.and_then(|style| style.colour);
    match role {
        _ if style.is_some_and(|style| style.ornament == Some(Ornament::Crown)) => CROWNED,
        Some(BY_NUMBER) => of_number(piece.number.unwrap_or(0)),
        Some(role) => known_role(role).unwrap_or(UNKNOWN),
        None => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn every_name_that_a_game_uses_has_a_colour() {
        for entry in GAMES {
            for style in entry.spec.styles {
                let known = style.colour.is_none_or(|role| role == BY_NUMBER || known_role(role).is_some());
                assert!(known, "{}: {:?}", entry.spec.id, style.colour);
            }
            let board = entry.rules("").expect("the defaults hold").start().board();
            assert!(known_surface(board.surface).is_some(), "{}: {}", entry.spec.id, board.surface);
        }
    }

    #[test]
    fn numbers_have_colours_from_2_on_however_large() {
        assert_eq!(of_number(2), NUMBERS[0]);
        assert_eq!(of_number(2048), NUMBERS[10]);
        assert_eq!((of_number(0), of_number(u32::MAX)), (NUMBERS[0], NUMBERS[16]));
    }
}
