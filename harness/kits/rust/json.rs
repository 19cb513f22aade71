//! JSON (RFC 8259), since the standard library has none, and bytes as the contract has them in it: in hex.

use std::fmt::{self, Display, Formatter, Write};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// JSON as it stands, such as a number the way it is spelled: no integer is too long, and 1.0 is not 1.
    Literal(String),
    Text(String),
    /// A string with half a surrogate pair in it, which no Rust string can hold.
    LoneSurrogate,
    List(Vec<Value>),
    /// In the order given. If a key is there twice, the last counts.
    Object(Vec<(String, Value)>),
}

pub fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

pub fn number(number: impl Display) -> Value {
    Value::Literal(number.to_string())
}

pub fn object<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

pub fn hex(bytes: &[u8]) -> Value {
    let digit = |four: u8| char::from(b"0123456789abcdef"[usize::from(four)]);
    Value::Text(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
}

/// What a value holds, if it is of that type.
impl Value {
    pub fn entries(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Object(entries) => Some(entries),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries()?.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Whether each entry of an object is one of another.
    pub fn is_within(&self, other: &Value) -> bool {
        self.entries().is_some_and(|entries| entries.iter().all(|(key, value)| other.get(key) == Some(value)))
    }

    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number without fraction and exponent that fits 64 bits.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Literal(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Bytes in lower-case hex, two digits each.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let digits = self.str().filter(|digits| digits.len() % 2 == 0)?.as_bytes();
        digits.chunks_exact(2).map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?)).collect()
    }

    /// An object with further entries in front.
    pub fn behind<'a>(self, entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        match (object(entries), self) {
            (Value::Object(first), Value::Object(then)) => Value::Object([first, then].concat()),
            (_, other) => other,
        }
    }
}

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => out.write_str("null"),
            Value::Bool(truth) => write!(out, "{truth}"),
            Value::Literal(literal) => out.write_str(literal),
            Value::Text(text) => quote(text, out),
            Value::LoneSurrogate => out.write_str("\"\u{fffd}\""),
            Value::List(items) => {
                out.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                out.write_char(']')
            }
            Value::Object(entries) => {
                out.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { "," })?;
                    quote(key, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn quote(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|c| c < ' ' || c == '"' || c == '\\') {
        let (plain, special) = rest.split_at(at);
        write!(out, "{plain}\\u{:04x}", special.as_bytes()[0])?;
        rest = &special[1..];
    }
    out.write_str(rest)?;
    out.write_char('"')
}

/// The one value that there is in UTF-8.
pub fn parse(json: &[u8]) -> Option<Value> {
    let mut parser = Parser { text: std::str::from_utf8(json).ok()?, at: 0 };
    let value = parser.value(0)?;
    parser.peek().is_none().then_some(value)
}

/// Deeper nesting is refused rather than left to the stack.
const DEEPEST: usize = 512;

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.peek()? {
            _ if depth > DEEPEST => None,
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ if self.word("true") => Some(Value::Bool(true)),
            _ if self.word("false") => Some(Value::Bool(false)),
            _ if self.word("null") => Some(Value::Null),
            _ => None,
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        let mut entries = Vec::new();
        self.at += 1;
        if self.accept(b'}').is_some() {
            return Some(Value::Object(entries));
        }
        loop {
            self.peek().filter(|c| *c == b'"')?;
            let key = match self.string()? {
                Value::Text(key) => key,
                _ => "\u{fffd}".to_owned(), // no key of the contract in any case
            };
            self.accept(b':')?;
            entries.push((key, self.value(depth + 1)?));
            if self.accept(b'}').is_some() {
                return Some(Value::Object(entries));
            }
            self.accept(b',')?;
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.at += 1;
        if self.accept(b']').is_some() {
            return Some(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.accept(b']').is_some() {
                return Some(Value::List(items));
            }
            self.accept(b',')?;
        }
    }

    fn string(&mut self) -> Option<Value> {
        let mut text = String::new();
        let mut whole = true;
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| c < ' ' || c == '"' || c == '\\')?;
            text.push_str(&rest[..plain]);
            self.at += plain + 1;
            match rest.as_bytes()[plain] {
                b'"' if whole => return Some(Value::Text(text)),
                b'"' => return Some(Value::LoneSurrogate),
                b'\\' => match self.escaped()? {
                    Some(c) => text.push(c),
                    None => whole = false,
                },
                _ => return None,
            }
        }
    }

    /// The character of an escape, or of a pair of them; `Some(None)` for half a pair.
    fn escaped(&mut self) -> Option<Option<char>> {
        self.at += 1;
        let c = match self.text.as_bytes().get(self.at - 1)? {
            c @ (b'"' | b'\\' | b'/') => char::from(*c),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                let after = self.at;
                if (0xd800..0xdc00).contains(&unit) && self.word("\\u") {
                    let low = self.unit()?;
                    if (0xdc00..0xe000).contains(&low) {
                        return Some(char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
                    }
                    self.at = after;
                }
                return Some(char::from_u32(unit));
            }
            _ => return None,
        };
        Some(Some(c))
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let all = digits.bytes().all(|c| c.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| all)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        self.word("-");
        if !self.word("0") {
            self.digits()?;
        }
        if self.word(".") {
            self.digits()?;
        }
        if self.word("e") || self.word("E") {
            let _ = self.word("+") || self.word("-");
            self.digits()?;
        }
        Some(Value::Literal(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Option<()> {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(())
    }

    /// Steps over exactly this text, if it is next.
    fn word(&mut self, word: &str) -> bool {
        let there = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// Steps over white space and this character, if it is next.
    fn accept(&mut self, c: u8) -> Option<u8> {
        let found = self.peek().filter(|next| *next == c);
        self.at += usize::from(found.is_some());
        found
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|c| b" \t\r\n".contains(c)).count();
        self.text.as_bytes().get(self.at).copied()
    }
}
