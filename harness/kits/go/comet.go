package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The messages by type: name, then fields and their kinds. X[] is a byte with the count, then so many X.
var messages = map[string][]string{"c2s": {
	"auth client_id:string token:string", "exchange_key secret_key:bytes", "get_topic_list",
	"subscribe topics:topic[]", "unsubscribe topics:topic[]", "get_message_list", "heartbeat",
	"message_ack msg_ids:string[]",
	"report_environ network_type:byte isp:byte phone_type:string extra:string[]",
}, "s2c": {
	"ok", "error error_code:byte reason:string", "auth_success encrypt_key:bytes",
	"topic_list topics:topic[]", "message_list notifications:record[]", "message notification:record",
}}

const record = "message_struct msg_type:byte msg_id:string content:string ts:long"

type rejected object // the error class of a value, or the error class and offset of bytes

func check(right bool, problem any) {
	if !right {
		panic(problem)
	}
}

// decode gives the message that begins at start, and where it ends: at start, if it is not all there.
func decode(direction string, input []byte, start int) (message object, end int) {
	if len(input) < start+2 || len(input) < start+2+int(binary.BigEndian.Uint16(input[start:])) {
		return nil, start
	}
	end = start + 2 + int(binary.BigEndian.Uint16(input[start:]))
	check(end > start+2, rejected{"error": "length-mismatch", "offset": start})
	in := reader{input[:end], start + 2}
	number := in.take(1)[0]
	check(int(number) < len(messages[direction]), rejected{"error": "unknown-type", "offset": start + 2})
	command := in.read(messages[direction][number]).(object)
	check(in.at == end, rejected{"error": "trailing-bytes", "offset": in.at})
	command["dir"], command["type"] = direction, number
	command["name"] = strings.Fields(messages[direction][number])[0]
	return object{"command": command}, end
}

type reader struct {
	input []byte
	at    int
}

func (r *reader) take(size int) []byte {
	check(r.at+size <= len(r.input), rejected{"error": "overrun", "offset": r.at})
	r.at += size
	return r.input[r.at-size : r.at]
}

func (r *reader) read(kind string) any {
	switch kind {
	case "byte":
		return r.take(1)[0]
	case "long":
		return fmt.Sprint(int64(binary.BigEndian.Uint64(r.take(8))))
	case "bytes":
		return hex.EncodeToString(r.take(int(binary.BigEndian.Uint16(r.take(2)))))
	case "string", "topic":
		run := r.take(int(binary.BigEndian.Uint16(r.take(2))))
		start, isTopic := r.at-len(run), strings.HasPrefix(string(run), "@")
		check(utf8.Valid(run), rejected{"error": "invalid-utf8", "offset": start})
		check(kind == "string" || isTopic, rejected{"error": "invalid-value", "offset": start})
		return string(run)
	case "record":
		return r.read(record)
	case "string[]", "topic[]", "record[]":
		items := make([]any, r.take(1)[0])
		for i := range items {
			items[i] = r.read(strings.TrimSuffix(kind, "[]"))
		}
		return items
	}
	fields := object{}
	for _, field := range strings.Fields(kind)[1:] {
		name, kind, _ := strings.Cut(field, ":")
		fields[name] = r.read(kind)
	}
	return fields
}

// encode gives the bytes of a message.
func encode(direction string, value object) []byte {
	command := value["command"].(object)
	number := write("byte", command["type"])
	check(int(number[0]) < len(messages[direction]), rejected{"error": "unknown-type"})
	return sized(2, append(number, write(messages[direction][number[0]], command)...))
}

func write(kind string, value any) (out []byte) {
	switch kind {
	case "byte":
		return number(1, value.(json.Number), "out-of-range")
	case "long":
		return number(8, json.Number(value.(string)), "out-of-range")
	case "bytes":
		return sized(2, unhex(value))
	case "string", "topic":
		_, isHex := value.(object) // {"hex": ...}, which is no UTF-8 either
		check(!isHex && !strings.Contains(value.(string), loneSurrogate), rejected{"error": "invalid-utf8"})
		out = sized(2, []byte(value.(string)))
		check(kind == "string" || strings.HasPrefix(value.(string), "@"), rejected{"error": "invalid-value"})
	case "record":
		return write(record, value)
	case "string[]", "topic[]", "record[]":
		out = number(1, json.Number(fmt.Sprint(len(value.([]any)))), "limit-exceeded")
		for _, item := range value.([]any) {
			out = append(out, write(strings.TrimSuffix(kind, "[]"), item)...)
		}
	default:
		for _, field := range strings.Fields(kind)[1:] {
			name, kind, _ := strings.Cut(field, ":")
			out = append(out, write(kind, value.(object)[name])...)
		}
	}
	return out
}

func number(size int, digits json.Number, class string) []byte {
	value, err := digits.Int64()
	check(err == nil && (size == 8 || value>>(8*size) == 0), rejected{"error": class})
	return binary.BigEndian.AppendUint64(nil, uint64(value))[8-size:]
}

func sized(size int, run []byte) []byte {
	return append(number(size, json.Number(fmt.Sprint(len(run))), "limit-exceeded"), run...)
}

func unhex(value any) []byte {
	run, err := hex.DecodeString(value.(string))
	check(err == nil, err)
	return run
}

// encoding/json takes half a surrogate pair for U+FFFD, so another mark is put there before it can.
const loneSurrogate = "\ufdd0\ufdef\ufdd0" // noncharacters, kept for uses such as this

var escape = regexp.MustCompile(`\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|.)`)

func markLoneSurrogates(line []byte) []byte {
	return escape.ReplaceAllFunc(line, func(found []byte) []byte {
		if len(found) == len(`\ud800`) {
			return []byte(loneSurrogate)
		}
		return found
	})
}
