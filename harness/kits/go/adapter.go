// A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
// This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet.
package main
import ("bufio"; "encoding/hex"; "encoding/json"; "fmt"; "os"; "regexp"; "strings")

type object = map[string]any
const hello = `{"contract": 1, "name": "Go kit", "language": "Go", "protocols": {"comet":
	{"operations": ["decode", "encode", "stream"], "directions": ["c2s", "s2c"]}}}`
const standard = " order:big utf8:strict bytes:short extra:byte short:unsigned byte:unsigned ts:signed " +
	"crypto:none environ_reply:ok "

// Half a surrogate pair, which encoding/json takes for U+FFFD, is what is left without the other escapes.
var otherEscape = regexp.MustCompile(`\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|[^u])`)
var halfPair = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

func main() {
	input := bufio.NewReader(os.Stdin)
	for line, err := input.ReadBytes('\n'); err == nil; line, err = input.ReadBytes('\n') {
		_ = json.NewEncoder(os.Stdout).Encode(answer(line)) // and a line feed, at once
	}
}

func answer(line []byte) (answer object) {
	answer, request, decoded := object{"id": nil}, object{"profile": object{}}, object{}
	defer func() {
		problem := recover()
		if fault, isFault := problem.(rejected); isFault { // a value, or bytes behind the messages decoded
			decoded["error"], answer["reject"] = fault[0], decoded
			if request["op"] != "encode" { decoded["offset"] = fault[1] }
		} else if problem != nil { answer["error"] = object{"message": fmt.Sprint(problem)} } // a wrong request
	}()
	_ = json.Unmarshal(line, &request) // what is no JSON object leaves it without an id
	answer["id"] = request["id"].(float64)
	fits, direction := request["protocol"] == "comet", fmt.Sprint(request["direction"])
	for key, value := range request["profile"].(object) {
		fits = fits && strings.Contains(standard, fmt.Sprintf(" %s:%s ", key, value))
	}
	switch op := request["op"]; {
	case op == "hello": answer["ok"] = json.RawMessage(hello)
	case fits && op == "encode":
		check(!halfPair.Match(otherEscape.ReplaceAll(line, nil)), rejected{"invalid-utf8"})
		answer["ok"] = object{"hex": hex.EncodeToString(encode(direction, request["value"].(object)))} // HOOK
	case fits && (op == "decode" || op == "stream"):
		chunks, messages, after, input, at := []any{request["hex"]}, []json.RawMessage{}, []int{}, []byte{}, 0
		next := func() object { return decode(direction, input, &at) } // HOOK
		decoded["messages"] = &messages
		if op == "stream" { chunks, decoded["after"] = request["chunks"].([]any), &after }
		for index, chunk := range chunks {
			input = append(input, unhex(chunk.(string))...)
			for message := next(); message != nil; message = next() {
				text, _ := json.Marshal(message) // takes far less memory
				messages, after = append(messages, text), append(after, index)
			}
		}
		check(at == len(input) || request["eof"] == false, rejected{"truncated", len(input)})
		decoded["consumed"] = at
		answer[map[bool]string{true: "ok", false: "incomplete"}[at == len(input)]] = decoded
	default: answer["unsupported"] = object{"reason": "only comet, only under the profile standard"}
	}
	return answer
}
