//! A wireproof adapter: one JSON request a line on standard input, one JSON answer a line on standard output.
//! This file is the contract. All it asks of a codec are the two calls marked HOOK: to check your own implementation,
//! call it there, or behind them in comet.rs, and let HELLO say what it is and what it can do.
mod comet;
mod json;

use comet::Rejection;
use json::{number, object, text, Value};
use std::io::{self, BufRead, Write};

const HELLO: &str = r#"{"contract": 1, "name": "comet starter kit", "language": "Rust",
    "protocols": {"comet": {"operations": ["decode", "encode", "stream"]}}}"#;
const STANDARD: &str = r#"{"order": "big", "utf8": "strict", "bytes": "short", "extra": "byte", "short": "unsigned",
    "byte": "unsigned", "ts": "signed", "crypto": "none", "environ_reply": "ok"}"#;

type Outcome = (&'static str, Value);

fn main() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        writeln!(output, "{}", answer(&line))?;
        line.clear();
        if !input.buffer().contains(&b'\n') {
            output.flush()?; // before a read that may wait, and only then
        }
    }
    output.flush()
}

fn answer(line: &[u8]) -> Value {
    let request = json::parse(line).unwrap_or(Value::Null);
    let id = request.find("id").filter(|id| id.integer().is_ok());
    let outcome = id.ok_or("not an object with an integer id".to_owned()).and_then(|_| outcome(&request));
    let (key, body) = outcome.unwrap_or_else(|message| ("error", object([("message", text(message))])));
    object([("id", id.cloned().unwrap_or(Value::Null)), (key, body)])
}

/// What a request comes to; an `Err` says what is wrong with it.
fn outcome(request: &Value) -> Result<Outcome, String> {
    let unsupported = |what: &str| Ok(("unsupported", object([("reason", text(what))])));
    let operation = request.get("op")?.str()?;
    match operation {
        "hello" => return Ok(("ok", json::parse(HELLO.as_bytes())?)),
        "decode" | "encode" | "stream" => (),
        _ => return unsupported("no such operation"),
    }
    if request.get("protocol")?.str()? != "comet" {
        return unsupported("no protocol but comet");
    }
    let direction = request.get("direction")?.one_of(&["c2s", "s2c"])?;
    let standard = json::parse(STANDARD.as_bytes())?;
    let profile = request.find("profile").unwrap_or(&standard).entries()?;
    if profile.iter().any(|(name, value)| standard.find(name) != Some(value)) {
        return unsupported("no profile but standard");
    }
    if operation == "encode" {
        let encoded = comet::encode(direction, request.get("value")?)?; // HOOK
        return Ok(match encoded {
            Ok(bytes) => ("ok", object([("hex", json::hex(&bytes))])),
            Err(error) => ("reject", object([("error", text(error))])),
        });
    }
    if operation == "decode" {
        return Ok(decode(direction, &[request.get("hex")?.bytes()?], true, false));
    }
    let chunks = request.get("chunks")?.list()?.iter().map(Value::bytes).collect::<Result<Vec<_>, _>>()?;
    Ok(decode(direction, &chunks, request.find("eof").map_or(Ok(true), Value::bool)?, true))
}

fn decode(direction: &str, chunks: &[Vec<u8>], eof: bool, is_stream: bool) -> Outcome {
    let (mut input, mut consumed) = (Vec::new(), 0);
    let (mut messages, mut after) = (Vec::new(), Vec::new());
    let mut read = || {
        for (index, chunk) in chunks.iter().enumerate() {
            input.extend_from_slice(chunk);
            // HOOK
            while let Some((message, end)) = comet::next(direction, &input, consumed)? {
                messages.push(number(message)); // as text, which takes far less memory
                after.push(number(index));
                consumed = end;
            }
        }
        match input.len() {
            size if eof && consumed < size => Err(Rejection("truncated", size)),
            size => Ok((if consumed < size { "incomplete" } else { "ok" }, consumed)),
        }
    };
    let (key, mut outcome) = match read() {
        Ok((key, consumed)) => (key, vec![("consumed", number(consumed))]),
        Err(Rejection(error, offset)) => ("reject", vec![("error", text(error)), ("offset", number(offset))]),
    };
    outcome.push(("messages", Value::List(messages)));
    if is_stream {
        outcome.push(("after", Value::List(after)));
    }
    (key, object(outcome))
}
