package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The forms that values have in JSON. What has another form is a badRequest, with which these functions panic.

type (
	object     map[string]any
	raw        map[string]json.RawMessage // an object with its values as they were sent
	badRequest string
)

func check(right bool, message string) {
	if !right {
		panic(badRequest(message))
	}
}

// parse reads an object; it is empty if the line holds none.
func parse(line []byte) (object raw) {
	if utf8.Valid(line) { // which Unmarshal does not ask
		_ = json.Unmarshal(line, &object)
	}
	return object
}

// as reads a value as a T. null, which Unmarshal would take for anything, is none.
func as[T any](value json.RawMessage) (result T) {
	err := json.Unmarshal(value, &result)
	check(err == nil && string(value) != "null", "a key is missing, or has a value of the wrong type")
	return result
}

// only gives the value of the only key that an object may have.
func only(key string, value json.RawMessage) json.RawMessage {
	object := as[raw](value)
	check(len(object) == 1, "an object with the one key "+key+" is expected")
	return object[key]
}

// or gives the value of a key that may be absent.
func (r raw) or(key, absent string) json.RawMessage {
	if value, ok := r[key]; ok {
		return value
	}
	return json.RawMessage(absent)
}

var (
	integer = regexp.MustCompile(`^-?[0-9]+$`)
	decimal = regexp.MustCompile(`^(?:0|-?[1-9][0-9]*)$`)
	// Unmarshal puts U+FFFD for half a surrogate pair, so one is looked for in the text as it was sent.
	pairs = regexp.MustCompile(`^(?:[^\\]|\\[^u]|\\u(?:[^dD]...|[dD][0-7]..|[dD][89abAB]..\\u[dD][c-fC-F]..))*$`)
)

// asInteger reads a number without fraction and exponent; fits is false if it is beyond 64 bits.
func asInteger(value json.RawMessage) (number int64, fits bool) {
	check(integer.Match(value), "an integer is missing, or has a fraction or an exponent")
	number, err := strconv.ParseInt(string(value), 10, 64)
	return number, err == nil
}

// asDecimal reads an integer in a string, as 64-bit numbers are given; fits is false if it is too long after all.
func asDecimal(value json.RawMessage) (number int64, fits bool) {
	digits := as[string](value)
	check(decimal.MatchString(digits), "a 64-bit number is a decimal string without leading zeros")
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, err == nil
}

func asBytes(value json.RawMessage) []byte {
	digits := as[string](value)
	data, err := hex.DecodeString(digits)
	check(err == nil && digits == strings.ToLower(digits), "hex is lower case, two digits a byte")
	return data
}

func asHex(data []byte) string {
	return hex.EncodeToString(data)
}

func asByteList(value json.RawMessage) (list [][]byte) {
	for _, item := range as[[]json.RawMessage](value) {
		list = append(list, asBytes(item))
	}
	return list
}

// asText reads a string of the protocol; valid is false for half a surrogate pair, and for {"hex": ...} in its place.
func asText(value json.RawMessage) (text string, valid bool) {
	if !bytes.HasPrefix(value, []byte("{")) {
		return as[string](value), pairs.Match(value)
	}
	asBytes(only("hex", value))
	return "", false
}
