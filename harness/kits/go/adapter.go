// A wireproof adapter: one JSON request a line on standard input, one JSON answer a line on standard output.
// This file is the contract. All it asks of a codec are the two calls marked HOOK: to check your own implementation,
// call it there, or behind them in comet.go, and let hello say what it is and what it can do.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
)

var hello = object{"contract": 1, "name": "comet starter kit", "language": "Go",
	"protocols": object{"comet": object{"operations": []string{"decode", "encode", "stream"}}}}
var standard = object{"order": "big", "utf8": "strict", "bytes": "short", "extra": "byte", "short": "unsigned",
	"byte": "unsigned", "ts": "signed", "crypto": "none", "environ_reply": "ok"}

func main() {
	input, output := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	for line, err := input.ReadBytes('\n'); err == nil; line, err = input.ReadBytes('\n') {
		text, _ := json.Marshal(answer(line))
		output.Write(append(text, '\n'))
		if waiting, _ := input.Peek(input.Buffered()); !bytes.Contains(waiting, []byte("\n")) {
			output.Flush() // before a read that may wait, and only then
		}
	}
}

func answer(line []byte) (answer object) {
	request := parse(line)
	if !integer.Match(request["id"]) {
		return object{"id": nil, "error": object{"message": "expected a JSON object with an integer id"}}
	}
	defer func() {
		if problem := recover(); problem != nil {
			answer = object{"id": request["id"], "error": object{"message": string(problem.(badRequest))}}
		}
	}()
	key, body := outcome(request)
	return object{"id": request["id"], key: body}
}

func outcome(request raw) (key string, body object) {
	operation := as[string](request["op"])
	switch operation {
	case "hello":
		return "ok", hello
	case "decode", "encode", "stream":
	default:
		return "unsupported", object{"reason": "no operation " + operation}
	}
	if protocol := as[string](request["protocol"]); protocol != "comet" {
		return "unsupported", object{"reason": "no protocol " + protocol}
	}
	direction := as[string](request["direction"])
	check(direction == "c2s" || direction == "s2c", "direction is c2s or s2c")
	for name, value := range as[object](request.or("profile", "{}")) {
		if known, ok := standard[name]; !ok || value != known {
			return "unsupported", object{"reason": "no profile but standard"}
		}
	}
	if operation == "encode" {
		encoded, refusal := Encode(direction, request["value"]) // HOOK
		if refusal != "" {
			return "reject", object{"error": refusal}
		}
		return "ok", object{"hex": asHex(encoded)}
	}
	if operation == "decode" {
		key, body = decode(direction, [][]byte{asBytes(request["hex"])}, true)
		delete(body, "after")
		return key, body
	}
	return decode(direction, asByteList(request["chunks"]), as[bool](request.or("eof", "true")))
}

func decode(direction string, chunks [][]byte, eof bool) (string, object) {
	input, consumed, messages, after := []byte{}, 0, []json.RawMessage{}, []int{}
	for index, chunk := range chunks {
		input = append(input, chunk...)
		message, end, fault := Next(direction, input, consumed) // HOOK
		for ; message != nil; message, end, fault = Next(direction, input, consumed) {
			text, _ := json.Marshal(message) // takes far less memory
			consumed, messages, after = end, append(messages, text), append(after, index)
		}
		if fault.Class != "" {
			return "reject", object{"error": fault.Class, "offset": fault.Offset, "messages": messages, "after": after}
		}
	}
	switch {
	case consumed == len(input):
		return "ok", object{"messages": messages, "consumed": consumed, "after": after}
	case eof:
		return "reject", object{"error": "truncated", "offset": len(input), "messages": messages, "after": after}
	}
	return "incomplete", object{"messages": messages, "consumed": consumed, "after": after}
}
