//! The protocol comet, profile standard: tables, and one function that reads and writes what they say.
use crate::json::{hex, number, object, text, Value};
/// The messages by type: name, then fields and their kinds. X[] is a byte with the count, then so many X.
const CLIENT: &str = "auth client_id:string token:string, exchange_key secret_key:bytes, get_topic_list, \
    subscribe topics:topic[], unsubscribe topics:topic[], get_message_list, heartbeat, message_ack \
    msg_ids:string[], report_environ network_type:byte isp:byte phone_type:string extra:string[]";
const SERVER: &str = "ok, error error_code:byte reason:string, auth_success encrypt_key:bytes, \
    topic_list topics:topic[], message_list notifications:record[], message notification:record";
const RECORD: &str = "message_struct msg_type:byte msg_id:string content:string ts:long";
type Fault = Option<(&'static str, usize)>; // the class of an error, and its offset
/// The message that begins at start, and where it ends; None if it is not all there, or there is a fault.
pub fn decode(direction: &str, input: &[u8], start: usize, fault: &mut Fault) -> Option<(Value, usize)> {
    let length = input.get(start..start + 2)?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
    let input = input.get(..start + 2 + length)?;
    let mut coder = Coder { input: Some(input), at: start + 2, out: vec![], fault };
    coder.check(length > 0, "length-mismatch", start)?;
    let command = coder.command(direction, &Value::Null)?;
    coder.check(coder.at == input.len(), "trailing-bytes", coder.at)?;
    Some((object([("command", command)]), coder.at))
}
/// The bytes of a message; None if there is a fault, or the value is no message.
pub fn encode(direction: &str, value: &Value, fault: &mut Fault) -> Option<Vec<u8>> {
    let mut coder = Coder { input: None, at: 0, out: vec![], fault };
    coder.command(direction, value.get("command")?)?;
    let content = std::mem::take(&mut coder.out);
    coder.run(&content)?;
    Some(coder.out)
}

/// Reads the input, or if there is none writes the values given.
struct Coder<'a> { input: Option<&'a [u8]>, at: usize, out: Vec<u8>, fault: &'a mut Fault }
impl Coder<'_> {
    fn check(&mut self, right: bool, error: &'static str, offset: usize) -> Option<()> {
        *self.fault = (!right).then_some((error, offset));
        right.then_some(())
    }
    fn command(&mut self, direction: &str, given: &Value) -> Option<Value> {
        let number = self.code("byte", given.get("type").or(self.input.and(Some(given)))?)?;
        let mut layouts = if direction == "c2s" { CLIENT } else { SERVER }.split(", ");
        let layout = layouts.nth(number.integer()? as usize);
        self.check(layout.is_some(), "unknown-type", self.at - 1)?;
        let name = text(layout?.split(' ').next()?);
        Some(self.code(layout?, given)?.behind([("dir", text(direction)), ("type", number), ("name", name)]))
    }
    fn code(&mut self, kind: &str, given: &Value) -> Option<Value> {
        let reads = self.input.is_some();
        match kind {
            "byte" => self.number(1, given.integer(), "out-of-range").map(number),
            "long" => self.number(8, given.str().and_then(|ts| ts.parse().ok()), "out-of-range").map(text),
            "record" => self.code(RECORD, given),
            "bytes" => self.run(&if reads { vec![] } else { given.bytes()? }).map(|run| hex(&run)),
            "string" | "topic" => {
                self.check(reads || given.str().is_some(), "invalid-utf8", 0)?; // half a pair, {"hex": ...}
                let run = self.run(given.str().unwrap_or("").as_bytes())?;
                let (start, string) = (self.at - run.len(), String::from_utf8(run).ok());
                self.check(string.is_some(), "invalid-utf8", start)?;
                self.check(kind == "string" || string.as_ref()?.starts_with('@'), "invalid-value", start)?;
                string.map(text)
            }
            "string[]" | "topic[]" | "record[]" => {
                let given = if reads { &[] } else { given.list()? };
                let count = self.number(1, Some(given.len() as i64), "limit-exceeded")? as usize;
                let item = |at| self.code(kind.trim_end_matches("[]"), given.get(at).unwrap_or(&Value::Null));
                (0..count).map(item).collect::<Option<_>>().map(Value::List)
            }
            layout => {
                let fields = layout.split(' ').filter_map(|field| field.split_once(':'));
                let value = |name| if reads { Some(given) } else { given.get(name) };
                let coded = fields.map(|(name, kind)| Some((name, self.code(kind, value(name)?)?)));
                coded.collect::<Option<Vec<_>>>().map(object)
            }
        }
    }
    fn run(&mut self, given: &[u8]) -> Option<Vec<u8>> {
        let size = self.number(2, Some(given.len() as i64), "limit-exceeded")?;
        self.take(size as usize, given)
    }
    fn number(&mut self, size: usize, given: Option<i64>, error: &'static str) -> Option<i64> {
        let fits = given.is_some_and(|number| size == 8 || number >> (8 * size) == 0);
        self.check(self.input.is_some() || fits, error, 0)?;
        let taken = self.take(size, &given.unwrap_or(0).to_be_bytes()[8 - size..])?;
        Some(taken.iter().fold(0, |number, byte| number << 8 | i64::from(*byte)))
    }
    fn take(&mut self, size: usize, given: &[u8]) -> Option<Vec<u8>> {
        self.out.extend(given);
        let taken = self.input.map_or(Some(given), |input| input.get(self.at..self.at + size));
        self.check(taken.is_some(), "overrun", self.at)?;
        self.at += size;
        taken.map(Vec::from)
    }
}
