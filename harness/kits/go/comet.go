package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
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

// A Rejection says what is wrong with bytes that are no message, and where.
type Rejection struct {
	Class  string
	Offset int
}

// Next reads the message that begins at start, and says where it ends. It is nil if it is not all there, or wrong.
func Next(direction string, input []byte, start int) (message object, end int, fault *Rejection) {
	if len(input) < start+2 {
		return nil, start, nil
	}
	end = start + 2 + int(binary.BigEndian.Uint16(input[start:]))
	if end == start+2 {
		return nil, start, &Rejection{"length-mismatch", start}
	}
	if len(input) < end {
		return nil, start, nil
	}
	number := int(input[start+2])
	if number >= len(commands[direction]) {
		return nil, start, &Rejection{"unknown-type", start + 2}
	}
	layout := strings.Fields(commands[direction][number])
	r := reader{input: input[:end], at: start + 3}
	command := r.fields(layout[1:], object{"dir": direction, "type": number, "name": layout[0]})
	if r.check(r.at == end, "trailing-bytes", r.at); r.fault != nil {
		return nil, start, r.fault
	}
	return object{"command": command}, end, nil
}

// A reader keeps the first fault. What it reads from then on is of no use.
type reader struct {
	input []byte
	at    int
	fault *Rejection
}

func (r *reader) check(right bool, class string, offset int) {
	if !right && r.fault == nil {
		r.fault = &Rejection{class, offset}
	}
}

func (r *reader) take(size int) []byte {
	if r.check(len(r.input)-r.at >= size, "overrun", r.at); r.fault != nil {
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
		return hex.EncodeToString(r.take(int(binary.BigEndian.Uint16(r.take(2)))))
	case "string", "topic":
		run := r.take(int(binary.BigEndian.Uint16(r.take(2))))
		r.check(utf8.Valid(run), "invalid-utf8", r.at-len(run))
		r.check(kind == "string" || bytes.HasPrefix(run, []byte("@")), "invalid-value", r.at-len(run))
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
	message := as[raw](value)
	command := as[raw](message["command"])
	check(len(message) == 1 && as[string](command["dir"]) == direction, "one command in the direction of the request")
	number, fits := asInteger(command["type"])
	if !fits || number < 0 || number > math.MaxUint8 {
		return nil, "out-of-range"
	}
	if number >= int64(len(commands[direction])) {
		return nil, "unknown-type"
	}
	for _, key := range []string{"dir", "type", "name"} {
		delete(command, key)
	}
	content, whole := writer{out: []byte{byte(number)}}, writer{}
	content.fields(strings.Fields(commands[direction][number])[1:], command)
	whole.check(content.refusal == "", content.refusal)
	whole.run(content.out)
	return whole.out, whole.refusal
}

// A writer keeps the first refusal, which counts in the end: if all of the value has its shape.
type writer struct {
	out     []byte
	refusal string
}

func (w *writer) check(right bool, class string) {
	if !right && w.refusal == "" {
		w.refusal = class
	}
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
		w.check(fits && 0 <= number && number <= math.MaxUint8, "out-of-range")
		w.number(1, number)
	case "long":
		number, fits := asDecimal(value)
		w.check(fits, "out-of-range")
		w.number(8, number)
	case "bytes":
		w.run(asBytes(value))
	case "string", "topic":
		text, valid := asText(value)
		w.check(valid, "invalid-utf8")
		w.run([]byte(text))
		w.check(kind == "string" || strings.HasPrefix(text, "@"), "invalid-value")
	case "message_struct":
		w.fields(messageStruct, as[raw](value))
	default:
		items := as[[]json.RawMessage](value)
		w.check(len(items) <= math.MaxUint8, "limit-exceeded")
		w.number(1, int64(len(items)))
		for _, item := range items {
			w.write(kind[2:], item)
		}
	}
}

func (w *writer) run(run []byte) {
	w.check(len(run) <= math.MaxUint16, "limit-exceeded")
	w.number(2, int64(len(run)))
	w.out = append(w.out, run...)
}

func (w *writer) number(size int, number int64) {
	w.out = append(w.out, binary.BigEndian.AppendUint64(nil, uint64(number))[8-size:]...)
}
