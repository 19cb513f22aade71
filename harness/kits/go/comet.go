package main

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The protocol comet, profile standard. Replace what Next and Encode do by calls into your own implementation.

// The commands of each direction by type: name, then fields with their types. [] is a byte with the count, then items.
var commands = map[string][]string{
	"c2s": {"auth client_id:string token:string", "exchange_key secret_key:bytes", "get_topic_list",
		"subscribe topics:[]topic", "unsubscribe topics:[]topic", "get_message_list", "heartbeat",
		"message_ack msg_ids:[]string", "report_environ network_type:byte isp:byte phone_type:string extra:[]string"},
	"s2c": {"ok", "error error_code:byte reason:string", "auth_success encrypt_key:bytes", "topic_list topics:[]topic",
		"message_list notifications:[]message_struct", "message notification:message_struct"},
}
var messageStruct = strings.Fields("msg_type:byte msg_id:string content:string ts:long")

// A Rejection is the class of the first fault, and where it is. The class is empty if there is none.
type Rejection struct {
	Class  string
	Offset int
}

func (r *Rejection) check(right bool, class string, offset int) {
	if !right && r.Class == "" {
		*r = Rejection{class, offset}
	}
}

// Next reads the message that begins at start, and says where it ends. It is nil if it is not all there, or wrong.
func Next(direction string, input []byte, start int) (message object, end int, fault Rejection) {
	if len(input) < start+2 {
		return nil, start, Rejection{}
	}
	end = start + 2 + int(binary.BigEndian.Uint16(input[start:]))
	if end == start+2 {
		return nil, start, Rejection{"length-mismatch", start}
	}
	if len(input) < end {
		return nil, start, Rejection{}
	}
	number := int(input[start+2])
	if number >= len(commands[direction]) {
		return nil, start, Rejection{"unknown-type", start + 2}
	}
	layout := strings.Fields(commands[direction][number])
	r := reader{input: input[:end], at: start + 3}
	command := r.fields(layout[1:], object{"dir": direction, "type": number, "name": layout[0]})
	if r.check(r.at == end, "trailing-bytes", r.at); r.Class != "" {
		return nil, start, r.Rejection
	}
	return object{"command": command}, end, Rejection{}
}

// A reader goes on after a fault, but what it reads from then on is of no use.
type reader struct {
	Rejection
	input []byte
	at    int
}

func (r *reader) take(size int) []byte {
	if r.check(len(r.input)-r.at >= size, "overrun", r.at); r.Class != "" {
		return make([]byte, size)
	}
	r.at += size
	return r.input[r.at-size : r.at]
}

func (r *reader) fields(fields []string, values object) object {
	for _, field := range fields {
		name, kind, _ := strings.Cut(field, ":")
		values[name] = r.read(kind)
	}
	return values
}

func (r *reader) read(kind string) any {
	switch kind {
	case "byte":
		return r.take(1)[0]
	case "long":
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(r.take(8))), 10)
	case "bytes":
		return asHex(r.take(int(binary.BigEndian.Uint16(r.take(2)))))
	case "string", "topic":
		run := r.take(int(binary.BigEndian.Uint16(r.take(2))))
		r.check(utf8.Valid(run), "invalid-utf8", r.at-len(run))
		r.check(kind == "string" || strings.HasPrefix(string(run), "@"), "invalid-value", r.at-len(run))
		return string(run)
	case "message_struct":
		return r.fields(messageStruct, object{})
	}
	items := []any{}
	for count := r.take(1)[0]; count > 0; count-- {
		items = append(items, r.read(kind[2:]))
	}
	return items
}

// Encode gives the bytes of a message, or the class of its refusal. What has not the shape of one is a badRequest.
func Encode(direction string, value json.RawMessage) (encoded []byte, refusal string) {
	command := as[raw](only("command", value))
	check(as[string](command["dir"]) == direction, "dir is the direction of the request")
	number, fits := asInteger(command["type"])
	if !fits || number < 0 || number > 255 {
		return nil, "out-of-range"
	}
	if number >= int64(len(commands[direction])) {
		return nil, "unknown-type"
	}
	for _, key := range []string{"dir", "type", "name"} {
		delete(command, key)
	}
	w := writer{out: []byte{0, 0, byte(number)}}
	w.fields(strings.Fields(commands[direction][number])[1:], command)
	w.check(len(w.out) <= 2+65535, "limit-exceeded", 0)
	binary.BigEndian.PutUint16(w.out, uint16(len(w.out)-2))
	return w.out, w.Class
}

// A writer goes on after a refusal, as a value that has not its shape comes before it.
type writer struct {
	Rejection
	out []byte
}

func (w *writer) fields(fields []string, values raw) {
	for _, field := range fields {
		name, kind, _ := strings.Cut(field, ":")
		w.write(kind, values[name])
		delete(values, name)
	}
	check(len(values) == 0, "a key too many")
}

func (w *writer) write(kind string, value json.RawMessage) {
	switch kind {
	case "byte":
		number, fits := asInteger(value)
		w.number(1, number, fits && 0 <= number && number <= 255, "out-of-range")
	case "long":
		number, fits := asDecimal(value)
		w.number(8, number, fits, "out-of-range")
	case "bytes":
		w.run(asBytes(value))
	case "string", "topic":
		text, valid := asText(value)
		w.check(valid, "invalid-utf8", len(w.out))
		w.run([]byte(text))
		w.check(kind == "string" || strings.HasPrefix(text, "@"), "invalid-value", len(w.out))
	case "message_struct":
		w.fields(messageStruct, as[raw](value))
	default:
		items := as[[]json.RawMessage](value)
		w.number(1, int64(len(items)), len(items) <= 255, "limit-exceeded")
		for _, item := range items {
			w.write(kind[2:], item)
		}
	}
}

func (w *writer) run(run []byte) {
	w.number(2, int64(len(run)), len(run) <= 65535, "limit-exceeded")
	w.out = append(w.out, run...)
}

func (w *writer) number(size int, number int64, fits bool, class string) {
	w.check(fits, class, len(w.out))
	w.out = append(w.out, binary.BigEndian.AppendUint64(nil, uint64(number))[8-size:]...)
}
