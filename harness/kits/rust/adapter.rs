//! A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
//! This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet.
mod comet;
mod json;
use json::{hex, number, object, text, Value};
use std::io::{stdin, BufRead};
const HELLO: &str = r#"{"contract": 1, "name": "Rust kit", "language": "Rust", "protocols": {"comet":
    {"operations": ["decode", "encode", "stream"], "directions": ["c2s", "s2c"]}}}"#;
const STANDARD: &str = r#"{"order": "big", "utf8": "strict", "bytes": "short", "extra": "byte",
    "short": "unsigned", "byte": "unsigned", "ts": "signed", "crypto": "none", "environ_reply": "ok"}"#;

fn main() {
    for line in stdin().lock().split(b'\n').map_while(Result::ok) {
        let request = json::parse(&line).unwrap_or(Value::Null);
        let id = request.get("id").filter(|id| id.integer().is_some());
        let wrong = ("error", object([("message", text("no request, or a key is missing or wrong"))]));
        let outcome = id.and_then(|_| outcome(&request)).unwrap_or(wrong);
        println!("{}", object([("id", id.cloned().unwrap_or(Value::Null)), outcome])); // which flushes
    }
}

/// The key of an answer and what stands under it; None if the request is wrong.
fn outcome(request: &Value) -> Option<(&'static str, Value)> {
    let word = |key| request.get(key).and_then(Value::str).unwrap_or("");
    let (standard, profile, mut fault) = (json::parse(STANDARD.as_bytes())?, request.get("profile"), None);
    let fits = word("protocol") == "comet" && profile.map_or(true, |profile| profile.is_within(&standard));
    let (direction, eof) = (word("direction"), request.get("eof") != Some(&Value::Bool(false)));
    match word("op") {
        "hello" => Some(("ok", json::parse(HELLO.as_bytes())?)),
        "encode" if fits => {
            let encoded = comet::encode(direction, request.get("value")?, &mut fault); // HOOK
            let refused = fault.map(|(error, _)| ("reject", object([("error", text(error))])));
            refused.or_else(|| Some(("ok", object([("hex", hex(&encoded?))]))))
        }
        "decode" if fits => decode(direction, &[request.get("hex")?.clone()], true, false),
        "stream" if fits => decode(direction, request.get("chunks")?.list()?, eof, true),
        _ => Some(("unsupported", object([("reason", text("only comet, only under the profile standard"))]))),
    }
}
fn decode(direction: &str, chunks: &[Value], eof: bool, is_stream: bool) -> Option<(&'static str, Value)> {
    let (mut input, mut at, mut messages, mut after, mut fault) = (vec![], 0, vec![], vec![], None);
    for (index, chunk) in chunks.iter().enumerate() {
        input.extend(chunk.bytes()?);
        while let Some((message, end)) = comet::decode(direction, &input, at, &mut fault) { // HOOK
            messages.push(number(message)); // its text, which takes far less memory
            after.push(number(index));
            at = end;
        }
    }
    let is_cut = at < input.len();
    let mut content = vec![("messages", Value::List(messages))];
    content.extend(is_stream.then_some(("after", Value::List(after))));
    if let Some((error, offset)) = fault.or((is_cut && eof).then_some(("truncated", input.len()))) {
        content.extend([("error", text(error)), ("offset", number(offset))]);
        return Some(("reject", object(content)));
    }
    content.push(("consumed", number(at)));
    Some((if is_cut { "incomplete" } else { "ok" }, object(content)))
}
