//! JSON (RFC 8259), since the standard library has none, and the forms in which the contract puts values into it.
//! Whatever is wrong is a text that says what was expected.

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

pub fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
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

impl Value {
    pub fn entries(&self) -> Result<&[(String, Value)], String> {
        match self {
            Value::Object(entries) => Ok(entries),
            _ => Err(self.wrong("an object")),
        }
    }

    /// What an object has under a key, if it has it.
    pub fn find(&self, key: &str) -> Option<&Value> {
        self.entries().ok()?.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn get(&self, key: &str) -> Result<&Value, String> {
        self.find(key).ok_or_else(|| format!("the key {key} is missing"))
    }

    /// What an object has under its only key.
    pub fn only(&self, key: &str) -> Result<&Value, String> {
        match self.entries()? {
            [(name, value)] if name == key => Ok(value),
            _ => Err(self.wrong(&format!("an object with the one key {key}"))),
        }
    }

    pub fn list(&self) -> Result<&[Value], String> {
        match self {
            Value::List(items) => Ok(items),
            _ => Err(self.wrong("a list")),
        }
    }

    pub fn bool(&self) -> Result<bool, String> {
        match self {
            Value::Bool(truth) => Ok(*truth),
            _ => Err(self.wrong("true or false")),
        }
    }

    pub fn str(&self) -> Result<&str, String> {
        match self {
            Value::Text(text) => Ok(text),
            Value::LoneSurrogate => Ok("\u{fffd}"), // no word of the contract either
            _ => Err(self.wrong("a string")),
        }
    }

    pub fn one_of(&self, words: &[&str]) -> Result<&str, String> {
        self.str().ok().filter(|text| words.contains(text)).ok_or_else(|| self.wrong(&words.join(" or ")))
    }

    /// A string of the protocol; `None` if it is no UTF-8: half a surrogate pair, or `{"hex": ...}` in its place.
    pub fn utf8(&self) -> Result<Option<&str>, String> {
        match self {
            Value::LoneSurrogate => Ok(None),
            Value::Object(_) => self.only("hex")?.bytes().map(|_| None),
            _ => self.str().map(Some),
        }
    }

    /// Bytes in lower-case hex, two digits each.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let digits = self.str()?.as_bytes();
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Ok(digit - b'0'),
            b'a'..=b'f' => Ok(digit - b'a' + 10),
            _ => Err(self.wrong("lower-case hex")),
        };
        if digits.len() % 2 != 0 {
            return Err(self.wrong("two digits for each byte"));
        }
        digits.chunks_exact(2).map(|pair| Ok(value(pair[0])? << 4 | value(pair[1])?)).collect()
    }

    /// A number without fraction and exponent; `None` if it does not fit 64 bits.
    pub fn integer(&self) -> Result<Option<i64>, String> {
        match self {
            Value::Literal(digits) if !digits.contains(['.', 'e', 'E']) => Ok(digits.parse().ok()),
            _ => Err(self.wrong("an integer")),
        }
    }

    /// An integer in a string, as 64-bit numbers are given; `None` if it does not fit after all.
    pub fn decimal(&self) -> Result<Option<i64>, String> {
        let text = self.str()?;
        let digits = text.strip_prefix('-').unwrap_or(text);
        let padded = digits.is_empty() || digits.starts_with('0') && text != "0";
        if padded || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(self.wrong("a decimal string without leading zeros"));
        }
        Ok(text.parse().ok())
    }

    /// Says what was expected, and shows the beginning of what was there.
    fn wrong(&self, expected: &str) -> String {
        let found = match self {
            Value::List(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            other => other.to_string().chars().take(40).collect(),
        };
        format!("expected {expected}, not {found}")
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

/// The one value of a line.
pub fn parse(line: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(line).map_err(|_| "expected UTF-8")?;
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    match parser.peek() {
        None => Ok(value),
        _ => Err(parser.expected("the end")),
    }
}

/// Deeper nesting is refused rather than left to the stack.
const DEEPEST: usize = 512;

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(self.expected("less nesting"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.word("true") => Ok(Value::Bool(true)),
            _ if self.word("false") => Ok(Value::Bool(false)),
            _ if self.word("null") => Ok(Value::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        let mut entries = Vec::new();
        self.at += 1;
        if self.accept(b'}') {
            return Ok(Value::Object(entries));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key"));
            }
            let key = match self.string()? {
                Value::Text(key) => key,
                _ => "\u{fffd}".to_owned(), // no key of the contract in any case
            };
            if !self.accept(b':') {
                return Err(self.expected("':'"));
            }
            entries.push((key, self.value(depth + 1)?));
            if self.accept(b'}') {
                return Ok(Value::Object(entries));
            }
            if !self.accept(b',') {
                return Err(self.expected("',' or '}'"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        let mut items = Vec::new();
        self.at += 1;
        if self.accept(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.accept(b']') {
                return Ok(Value::List(items));
            }
            if !self.accept(b',') {
                return Err(self.expected("',' or ']'"));
            }
        }
    }

    fn string(&mut self) -> Result<Value, String> {
        let mut text = String::new();
        let mut whole = true;
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| c < ' ' || c == '"' || c == '\\').ok_or_else(|| self.expected("'\"'"))?;
            text.push_str(&rest[..plain]);
            self.at += plain + 1;
            match rest.as_bytes()[plain] {
                b'"' if whole => return Ok(Value::Text(text)),
                b'"' => return Ok(Value::LoneSurrogate),
                b'\\' => match self.escaped()? {
                    Some(c) => text.push(c),
                    None => whole = false,
                },
                _ => return Err(self.expected("no control character")),
            }
        }
    }

    /// The character of an escape, or of a pair of them; `None` for half a pair.
    fn escaped(&mut self) -> Result<Option<char>, String> {
        self.at += 1;
        let c = match self.text.as_bytes().get(self.at - 1) {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.unit()?;
                let after = self.at;
                if (0xd800..0xdc00).contains(&unit) && self.word("\\u") {
                    let low = self.unit()?;
                    if (0xdc00..0xe000).contains(&low) {
                        return Ok(char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
                    }
                    self.at = after;
                }
                return Ok(char::from_u32(unit));
            }
            _ => return Err(self.expected("an escape")),
        };
        Ok(Some(c))
    }

    fn unit(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).filter(|four| four.bytes().all(|c| c.is_ascii_hexdigit()));
        self.at += 4;
        digits.and_then(|four| u32::from_str_radix(four, 16).ok()).ok_or_else(|| self.expected("four hex digits"))
    }

    fn number(&mut self) -> Result<Value, String> {
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
        Ok(Value::Literal(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<(), String> {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        self.at += count;
        if count == 0 {
            return Err(self.expected("a digit"));
        }
        Ok(())
    }

    /// Steps over exactly this text, if it is next.
    fn word(&mut self, word: &str) -> bool {
        let there = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// Steps over white space and this character, if it is next.
    fn accept(&mut self, c: u8) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|c| b" \t\r\n".contains(c)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn expected(&self, what: &str) -> String {
        format!("expected {what} at byte {}", self.at)
    }
}
