//! Building HTML from strangers' words.

use agon_plot::Drawing;
use agon_plot::markup::escape;

use super::words::name_text;

/// A page in the making. Markup can only come from literals of the program: whatever is computed goes through a method that escapes
/// it, so that forgetting to is impossible.
#[derive(Debug, Default)]
pub struct Html(String);

/// The style sheet of all pages.
const STYLE: &str = include_str!("html/report.css");

impl Html {
    /// A page that needs nothing else, begun: head, styles and the start of its main part. It is light or dark as the reader
    /// prefers, and printable.
    pub fn page(title: &str) -> Self {
        let mut page = Self::default();
        page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        // The file needs no script and loads nothing, and the browser is told so: whatever a player is called.
        page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">");
        page.raw("<title>")
            .text(title)
            .raw("</title><style>")
            .raw(STYLE)
            .style(&Drawing::style())
            .raw("</style></head><body><main>");
        page
    }

    /// Opens a section with its heading and a card.
    pub fn open(&mut self, heading: &str) {
        self.raw("<section><h2>").text(heading).raw("</h2><div class=\"card\">");
    }

    /// Closes a section.
    pub fn close(&mut self) {
        self.raw("</div></section>");
    }

    /// A cell of a table.
    pub fn cell(&mut self, class: &'static str, text: &str) {
        self.raw("<td");
        if !class.is_empty() {
            self.attribute("class", class);
        }
        self.raw(">").text(text).raw("</td>");
    }

    /// Markup, as it stands in the program.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escape(text));
        self
    }

    /// An attribute of the element that is being opened.
    pub fn attribute(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// A name, kept apart from the direction of the text around it.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.raw("<bdi>").text(&name_text(name)).raw("</bdi>")
    }

    /// A link to a file beside the page. The path is encoded whole, so that it can name nothing but a file.
    pub fn link(&mut self, path: &str, text: &str) -> &mut Self {
        self.raw("<a").attribute("href", &encoded(path)).raw(">").text(text).raw("</a>")
    }

    /// A plot.
    pub fn plot(&mut self, drawing: &Drawing) -> &mut Self {
        self.0.push_str(&drawing.to_svg_element());
        self
    }

    /// A style sheet of the program's own.
    pub fn style(&mut self, style: &str) -> &mut Self {
        // Nothing in a style sheet of ours looks like the end of one.
        self.0.push_str(&style.replace('<', ""));
        self
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        self.raw("</main></body></html>\n");
        self.0
    }
}

/// A relative path as a reference.
fn encoded(path: &str) -> String {
    let mut reference = String::new();
    for byte in path.trim_start_matches('/').bytes() {
        if byte.is_ascii_alphanumeric() || b"-_./".contains(&byte) {
            reference.push(char::from(byte));
        } else {
            reference.push_str(&format!("%{byte:02X}"));
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_files_and_nothing_else() {
        assert_eq!(encoded("games/0001.txt"), "games/0001.txt");
        assert_eq!(encoded("javascript:alert(1)"), "javascript%3Aalert%281%29");
        assert_eq!(encoded("//evil.example/x"), "evil.example/x");
        assert_eq!(encoded("a b\"c?d#e"), "a%20b%22c%3Fd%23e");
        assert_eq!(encoded("משחק"), "%D7%9E%D7%A9%D7%97%D7%A7");
    }
}
