//! The protocol comet, profile `standard`. Replace what `next` and `encode` do by calls into your own implementation.
use crate::json::{self, object, text, Value};
use std::ops::RangeInclusive;

/// The commands of each direction by type: name, then fields with their types. [] is a byte with the count, then items.
const CLIENT: &[&str] = &[
    "auth client_id:string token:string",
    "exchange_key secret_key:bytes",
    "get_topic_list",
    "subscribe topics:[]topic",
    "unsubscribe topics:[]topic",
    "get_message_list",
    "heartbeat",
    "message_ack msg_ids:[]string",
    "report_environ network_type:byte isp:byte phone_type:string extra:[]string",
];
const SERVER: &[&str] = &[
    "ok",
    "error error_code:byte reason:string",
    "auth_success encrypt_key:bytes",
    "topic_list topics:[]topic",
    "message_list notifications:[]message_struct",
    "message notification:message_struct",
];
const MESSAGE_STRUCT: &str = "message_struct msg_type:byte msg_id:string content:string ts:long";

fn layout(direction: &str, number: u64) -> Option<&'static str> {
    if direction == "c2s" { CLIENT } else { SERVER }.get(number as usize).copied()
}

fn fields(layout: &str) -> impl Iterator<Item = (&str, &str)> {
    layout.split(' ').filter_map(|field| field.split_once(':'))
}

/// Bytes that are no message: the class of the error, and its offset.
pub struct Rejection(pub &'static str, pub usize);

/// The message that begins at `start`, and where it ends; `None` if it is not all there.
pub fn next(direction: &str, input: &[u8], start: usize) -> Result<Option<(Value, usize)>, Rejection> {
    let mut reader = Reader { input, at: start };
    let end = match reader.number(2) {
        Ok(0) => return Err(Rejection("length-mismatch", start)),
        Ok(length) => reader.at + length as usize,
        Err(_) => return Ok(None),
    };
    if end > input.len() {
        return Ok(None);
    }
    reader.input = &input[..end];
    let number = reader.number(1)?;
    let layout = layout(direction, number).ok_or(Rejection("unknown-type", start + 2))?;
    let name = layout.split(' ').next().unwrap_or_default();
    let head = vec![("dir", text(direction)), ("type", json::number(number)), ("name", text(name))];
    let command = reader.fields(layout, head)?;
    if reader.at < end {
        return Err(Rejection("trailing-bytes", reader.at));
    }
    Ok(Some((object([("command", command)]), end)))
}

struct Reader<'a> {
    input: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn fields<'b>(&mut self, layout: &'b str, mut values: Vec<(&'b str, Value)>) -> Result<Value, Rejection> {
        for (name, kind) in fields(layout) {
            values.push((name, self.read(kind)?));
        }
        Ok(object(values))
    }

    fn read(&mut self, kind: &str) -> Result<Value, Rejection> {
        match kind {
            "byte" => Ok(json::number(self.number(1)?)),
            "long" => Ok(text((self.number(8)? as i64).to_string())),
            "bytes" => Ok(json::hex(self.run()?)),
            "string" | "topic" => {
                let run = self.run()?;
                let start = self.at - run.len();
                match std::str::from_utf8(run) {
                    Err(_) => Err(Rejection("invalid-utf8", start)),
                    Ok(name) if kind == "topic" && !name.starts_with('@') => Err(Rejection("invalid-value", start)),
                    Ok(string) => Ok(text(string)),
                }
            }
            "message_struct" => self.fields(MESSAGE_STRUCT, Vec::new()),
            list => (0..self.number(1)?).map(|_| self.read(&list[2..])).collect::<Result<_, _>>().map(Value::List),
        }
    }

    fn run(&mut self) -> Result<&'a [u8], Rejection> {
        let size = self.number(2)?;
        self.take(size as usize)
    }

    fn number(&mut self, size: usize) -> Result<u64, Rejection> {
        Ok(self.take(size)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], Rejection> {
        let taken = self.input[self.at..].get(..size).ok_or(Rejection("overrun", self.at))?;
        self.at += size;
        Ok(taken)
    }
}

/// The bytes of a message, or the class of its refusal. A value that has not the shape of a message is an outer `Err`.
pub fn encode(direction: &str, value: &Value) -> Result<Result<Vec<u8>, &'static str>, String> {
    let command = value.only("command")?;
    command.get("dir")?.one_of(&[direction])?;
    let number = match command.get("type")?.integer()? {
        Some(number @ 0..=255) => number as u8,
        _ => return Ok(Err("out-of-range")),
    };
    let Some(layout) = layout(direction, number.into()) else { return Ok(Err("unknown-type")) };
    let mut content = Writer { out: vec![number], refusal: None };
    content.fields(layout, command, &["dir", "type", "name"])?;
    let mut message = Writer { out: Vec::new(), refusal: content.refusal };
    message.run(&content.out);
    Ok(message.refusal.map_or(Ok(message.out), Err))
}

/// What is written, and the first reason why it must not be. That counts in the end, if the whole value has its shape.
struct Writer {
    out: Vec<u8>,
    refusal: Option<&'static str>,
}

impl Writer {
    fn fields(&mut self, layout: &str, value: &Value, head: &[&str]) -> Result<(), String> {
        let known = |key: &str| head.contains(&key) || fields(layout).any(|(name, _)| name == key);
        if let Some((key, _)) = value.entries()?.iter().find(|(key, _)| !known(key)) {
            return Err(format!("there is no key {key}"));
        }
        fields(layout).try_for_each(|(name, kind)| self.write(kind, value.get(name)?))
    }

    fn write(&mut self, kind: &str, value: &Value) -> Result<(), String> {
        match kind {
            "byte" => self.number(1, value.integer()?, 0..=255, "out-of-range"),
            "long" => self.number(8, value.decimal()?, i64::MIN..=i64::MAX, "out-of-range"),
            "bytes" => self.run(&value.bytes()?),
            "string" | "topic" => {
                let string = value.utf8()?;
                self.refuse_unless(string.is_some(), "invalid-utf8");
                self.run(string.unwrap_or("").as_bytes());
                self.refuse_unless(kind == "string" || string.unwrap_or("").starts_with('@'), "invalid-value");
            }
            "message_struct" => self.fields(MESSAGE_STRUCT, value, &[])?,
            list => {
                let items = value.list()?;
                self.number(1, Some(items.len() as i64), 0..=255, "limit-exceeded");
                items.iter().try_for_each(|item| self.write(&list[2..], item))?;
            }
        }
        Ok(())
    }

    fn run(&mut self, run: &[u8]) {
        self.number(2, Some(run.len() as i64), 0..=65535, "limit-exceeded");
        self.out.extend_from_slice(run);
    }

    fn number(&mut self, size: usize, number: Option<i64>, range: RangeInclusive<i64>, error: &'static str) {
        let fitting = number.filter(|number| range.contains(number));
        self.refuse_unless(fitting.is_some(), error);
        self.out.extend_from_slice(&fitting.unwrap_or(0).to_be_bytes()[8 - size..]);
    }

    fn refuse_unless(&mut self, right: bool, error: &'static str) {
        self.refusal = self.refusal.or(if right { None } else { Some(error) });
    }
}
