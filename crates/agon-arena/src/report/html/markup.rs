//! Building HTML from strangers' words.

use agon_plot::Drawing;
use agon_plot::markup::escape;

use super::super::words::name_text;

/// A page in the making. Markup can only come from literals of the program: whatever is computed goes through a method that escapes
/// it, so that forgetting to is impossible.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup, as it stands in the program.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escape(text));
        self
    }

    /// An attribute of the element that is being opened.
    pub(super) fn attribute(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// A name, kept apart from the direction of the text around it.
    pub(super) fn name(&mut self, name: &str) -> &mut Self {
        self.raw("<bdi>").text(&name_text(name)).raw("</bdi>")
    }

    /// A link to a file beside the page. The path is encoded whole, so that it can name nothing but a file.
    pub(super) fn link(&mut self, path: &str, text: &str) -> &mut Self {
        self.raw("<a").attribute("href", &encoded(path)).raw(">").text(text).raw("</a>")
    }

    /// A plot.
    pub(super) fn plot(&mut self, drawing: &Drawing) -> &mut Self {
        self.0.push_str(&drawing.to_svg_element());
        self
    }

    /// A style sheet of the program's own.
    pub(super) fn style(&mut self, style: &str) -> &mut Self {
        // Nothing in a style sheet of ours looks like the end of one.
        self.0.push_str(&style.replace('<', ""));
        self
    }

    pub(super) fn finish(self) -> String {
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
