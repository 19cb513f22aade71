// A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
// This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type object = map[string]any

const hello = `{"contract": 1, "name": "Go kit", "language": "Go", "protocols": {"comet":
	{"operations": ["decode", "encode", "stream"], "directions": ["c2s", "s2c"]}}}`
const standard = " order:big utf8:strict bytes:short extra:byte short:unsigned byte:unsigned ts:signed " +
	"crypto:none environ_reply:ok "

func main() {
	input := bufio.NewReader(os.Stdin)
	for line, err := input.ReadBytes('\n'); err == nil; line, err = input.ReadBytes('\n') {
		text, _ := json.Marshal(answer(line))
		fmt.Println(string(text))
	}
}

func answer(line []byte) (answer object) {
	answer, decoded := object{"id": nil}, object{}
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case rejected: // a value, or bytes behind the messages decoded
			for key, value := range problem {
				decoded[key] = value
			}
			answer["reject"] = decoded
		default: // no JSON, a missing key, a value of the wrong type, bad hex
			answer["error"] = object{"message": fmt.Sprint(problem)}
		}
	}()
	request := object{"profile": object{}, "eof": true}
	parser := json.NewDecoder(bytes.NewReader(markLoneSurrogates(line)))
	parser.UseNumber()
	_ = parser.Decode(&request) // what is no JSON object leaves it without an id
	answer["id"] = request["id"].(json.Number)
	key, content := outcome(request, decoded)
	answer[key] = content
	return answer
}

func outcome(request, decoded object) (string, any) {
	isKnown := request["protocol"] == "comet"
	for name, value := range request["profile"].(object) {
		isKnown = isKnown && strings.Contains(standard, fmt.Sprintf(" %s:%s ", name, value))
	}
	chunks, messages, after, input, at := []any{}, []json.RawMessage{}, []int{}, []byte{}, 0
	direction, _ := request["direction"].(string)
	switch op := request["op"]; {
	case op == "hello":
		return "ok", json.RawMessage(hello)
	case isKnown && op == "encode":
		return "ok", object{"hex": fmt.Sprintf("%x", encode(direction, request["value"].(object)))} // HOOK
	case isKnown && op == "decode":
		chunks = []any{request["hex"]}
	case isKnown && op == "stream":
		chunks, decoded["after"] = request["chunks"].([]any), &after
	default:
		return "unsupported", object{"reason": "only comet, only under the profile standard"}
	}
	decoded["messages"] = &messages
	for index, chunk := range chunks {
		input = append(input, unhex(chunk)...)
		message, end := decode(direction, input, at) // HOOK
		for ; end > at; message, end = decode(direction, input, at) {
			text, _ := json.Marshal(message) // takes far less memory
			at, messages, after = end, append(messages, text), append(after, index)
		}
	}
	check(at == len(input) || request["eof"] == false, rejected{"error": "truncated", "offset": len(input)})
	decoded["consumed"] = at
	if at < len(input) {
		return "incomplete", decoded
	}
	return "ok", decoded
}
