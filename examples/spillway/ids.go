package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxNumber is the largest number that an id or a progress token may be, and -maxNumber the smallest. The SDK decodes
// both as float64 and cuts an id to an int64: it answers 1.5 as 1, and takes 9007199254740993 and the number before it
// for the same (modelcontextprotocol/go-sdk#1253). RFC 8259 calls larger numbers not interoperable.
const maxNumber = 1<<53 - 1

var (
	errID    = fmt.Errorf("the id would not come back as it was sent: give a string, or a whole number up to %d", int64(maxNumber))
	errNull  = errors.New("the id is null: give a string or a whole number, or leave it out of a notification")
	errToken = fmt.Errorf("the progress token would not come back as it was sent: "+
		"give a string, or a whole number up to %d", int64(maxNumber))
)

// refusal is the answer to what the SDK must not see.
type refusal struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // as the request has it, for the client to find it again; nil is null
	Error   jsonrpc.Error   `json:"error"`

	unsaid bool // it is that of a notification, which is never answered
}

func newRefusal(id json.RawMessage, code int64, why error) *refusal {
	return &refusal{JSONRPC: "2.0", ID: id, Error: jsonrpc.Error{Code: code, Message: why.Error()}}
}

// sift takes the messages that the SDK would take for others out of data, which is a message or a batch of them, and
// returns what is left and the refusals. What is not a message at all is left to the SDK.
func sift(data []byte) (left []byte, refused []*refusal) {
	var batch, fit []json.RawMessage
	if json.Unmarshal(data, &batch) != nil {
		batch = []json.RawMessage{data}
	}
	for _, message := range batch {
		if r := check(message); r != nil {
			refused = append(refused, r)
		} else {
			fit = append(fit, message)
		}
	}
	if len(refused) == 0 {
		return data, nil
	}
	if len(fit) > 0 {
		left, _ = json.Marshal(fit) // no error: they were JSON
	}
	return left, refused
}

// check returns the refusal of a message that the SDK would take for another, else nil.
func check(message []byte) *refusal {
	// Members whose names differ in case alone are one here and two for the SDK: who sends both is misread as before.
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			RequestID json.RawMessage
			Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
	}
	_ = json.Unmarshal(message, &m) // what has another type the SDK refuses
	switch {
	case string(m.ID) == "null" && m.Method != "" && !strings.HasPrefix(m.Method, "notifications/"):
		// The SDK would take it for a notification, and the client would wait for its answer.
		return newRefusal(nil, jsonrpc.CodeInvalidRequest, errNull)
	case !comesBack(m.ID):
		return newRefusal(m.ID, jsonrpc.CodeInvalidRequest, errID)
	case len(m.ID) > 0 && !comesBack(m.Params.Meta.ProgressToken):
		return newRefusal(m.ID, jsonrpc.CodeInvalidParams, errToken)
	case m.Method == "notifications/cancelled" && !comesBack(m.Params.RequestID):
		r := newRefusal(nil, jsonrpc.CodeInvalidParams, errID)
		r.unsaid = true
		return r
	}
	return nil
}

// comesBack reports whether the SDK sends back the same id or token. Those that are neither a string nor a number it
// refuses itself.
func comesBack(value json.RawMessage) bool {
	if len(value) == 0 || strings.IndexByte("{[tfn", value[0]) >= 0 {
		return true
	}
	if value[0] == '"' {
		var text string // in which everything that is not a character is U+FFFD
		return json.Unmarshal(value, &text) == nil && !strings.ContainsRune(text, utf8.RuneError)
	}
	n, err := strconv.ParseFloat(string(value), 64)
	return err == nil && math.Abs(n) <= maxNumber && isWhole(string(value))
}

// isWhole reports whether a JSON number is whole. A float64 cannot tell: it is 7 for 7.00000000000000000001.
func isWhole(number string) bool {
	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return true
	}
	shift := 0
	if power != "" {
		var err error
		if shift, err = strconv.Atoi(power); err != nil {
			return false // nor is it in the range of an id
		}
	}
	return shift >= len(digits)-len(whole)
}
