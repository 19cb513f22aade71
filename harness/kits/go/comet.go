package main
import ("encoding/binary"; "encoding/hex"; "fmt"; "strconv"; "strings")

// The messages by type: name, then fields and their kinds. X[] is a byte with the count, then so many X.
var messages = map[string][]string{"c2s": {"auth client_id:string token:string",
	"exchange_key secret_key:bytes", "get_topic_list", "subscribe topics:topic[]",
	"unsubscribe topics:topic[]", "get_message_list", "heartbeat", "message_ack msg_ids:string[]",
	"report_environ network_type:byte isp:byte phone_type:string extra:string[]",
}, "s2c": {"ok", "error error_code:byte reason:string", "auth_success encrypt_key:bytes",
	"topic_list topics:topic[]", "message_list notifications:record[]", "message notification:record"}}
var record = "message_struct msg_type:byte msg_id:string content:string ts:long"

type rejected [2]any // the error class, and for bytes the offset
func check(right bool, problem any) { if !right { panic(problem) } }
func unhex(text string) []byte { run, err := hex.DecodeString(text); check(err == nil, err); return run }

// decode gives the message at a position and moves behind it. It gives nil if the message is not all there.
func decode(direction string, input []byte, at *int) object {
	rest := input[*at:]
	if len(rest) < 2 || len(rest) < 2+int(binary.BigEndian.Uint16(rest)) { return nil }
	w := &wire{in: input[:*at+2+int(binary.BigEndian.Uint16(rest))], at: *at + 2}
	check(w.at < len(w.in), rejected{"length-mismatch", *at})
	command := w.field(direction, nil)
	check(w.at == len(w.in), rejected{"trailing-bytes", w.at})
	*at = w.at
	return object{"command": command}
}

// encode gives the bytes of a message.
func encode(direction string, value object) []byte {
	content, message := &wire{}, &wire{}
	content.field(direction, value["command"].(object))
	message.run(content.out)
	return message.out
}

// A wire reads in, or if there is none writes to out the values given.
type wire struct { in, out []byte; at int }

func (w *wire) field(kind string, given any) any {
	text, isText := given.(string)
	values, _ := given.(object)
	switch kind {
	case "c2s", "s2c":
		number := w.field("byte", values["type"]).(int64)
		check(number < int64(len(messages[kind])), rejected{"unknown-type", w.at - 1})
		command, name := w.field(messages[kind][number], given).(object), strings.Fields(messages[kind][number])[0]
		command["dir"], command["type"], command["name"] = kind, number, name
		return command
	case "byte": return w.number(1, fmt.Sprint(given), "out-of-range")
	case "long": return fmt.Sprint(w.number(8, text, "out-of-range"))
	case "bytes": return hex.EncodeToString(w.run(unhex(text)))
	case "string", "topic":
		text = string(w.run([]byte(text)))
		isText = text == strings.ToValidUTF8(text, "") && (isText || w.in != nil) // and not {"hex": ...}
		check(isText, rejected{"invalid-utf8", w.at - len(text)})
		check(kind == "string" || strings.HasPrefix(text, "@"), rejected{"invalid-value", w.at - len(text)})
		return text
	case "string[]", "topic[]", "record[]":
		list, _ := given.([]any)
		items := make([]any, w.number(1, fmt.Sprint(len(list)), "limit-exceeded"))
		copy(items, list)
		for i, item := range items { items[i] = w.field(strings.TrimSuffix(kind, "[]"), item) }
		return items
	case "record": kind = record
	}
	fields := object{}
	for _, field := range strings.Fields(kind)[1:] {
		name, kind, _ := strings.Cut(field, ":")
		fields[name] = w.field(kind, values[name])
	}
	return fields
}

func (w *wire) number(size int, digits string, class string) int64 {
	value, err := strconv.ParseInt(digits, 10, 64)
	check(w.in != nil || err == nil && (size == 8 || value>>(8*size) == 0), rejected{class})
	run := w.take(int64(size), binary.BigEndian.AppendUint64(nil, uint64(value))[8-size:])
	return int64(binary.BigEndian.Uint64(append(make([]byte, 8-size), run...)))
}

func (w *wire) run(b []byte) []byte { return w.take(w.number(2, fmt.Sprint(len(b)), "limit-exceeded"), b) }
func (w *wire) take(size int64, given []byte) []byte {
	if w.in == nil { w.out = append(w.out, given...); return given }
	check(w.at+int(size) <= len(w.in), rejected{"overrun", w.at})
	w.at += int(size)
	return w.in[w.at-int(size) : w.at]
}
