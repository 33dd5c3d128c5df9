//! Links as QR codes, so that a phone can follow what another screen shows.

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::{MAX_QR_TEXT, QrCode};
use axum::Json;
use axum::extract::Query;
use qrcode::{Color, EcLevel};
use serde::Deserialize;

use super::guard::HttpRefusal;

/// What is to be a QR code.
#[derive(Deserialize)]
pub(super) struct QrQuery {
    #[serde(default)]
    text: String,
}

pub(super) async fn code(Query(QrQuery { text }): Query<QrQuery>) -> Result<Json<QrCode>, HttpRefusal> {
    Ok(Json(encode(&text)?))
}

fn encode(text: &str) -> Result<QrCode, Refused> {
    let refused = || {
        let most = ("n", (MAX_QR_TEXT as u64).into());
        Refused::new(RefusalCode::Invalid, "refused.qr", [most]).about("text")
    };
    if text.is_empty() || text.len() > MAX_QR_TEXT {
        return Err(refused());
    }
    let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| refused())?;
    let square = |color: &Color| if *color == Color::Dark { '1' } else { '0' };
    let colors = code.to_colors();
    let rows = colors.chunks(code.width()).map(|row| row.iter().map(square).collect()).collect();
    Ok(QrCode { rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_a_square_with_its_three_corners() {
        let code = encode("http://127.0.0.1:8048/join/k7wq3hmd").expect("it fits");
        let size = code.rows.len();
        assert!(code.rows.iter().all(|row| row.len() == size), "{code:?}");
        let ring = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
        for (row, expected) in ring.iter().enumerate() {
            assert_eq!(code.rows[row][..7], **expected);
            assert_eq!(code.rows[row][size - 7..], **expected);
            assert_eq!(code.rows[size - 7 + row][..7], **expected);
        }
    }

    #[test]
    fn what_is_empty_or_too_long_is_refused() {
        assert!(encode(&"x".repeat(MAX_QR_TEXT)).is_ok());
        for text in [String::new(), "x".repeat(MAX_QR_TEXT + 1)] {
            assert_eq!(encode(&text).expect_err("no link is so").field.as_deref(), Some("text"));
        }
    }
}
