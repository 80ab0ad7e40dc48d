package anthropictools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// model answers requests of the SDK, without a network: with the content that it
// is given, turn by turn.
type model struct {
	turns []string // blocks of content, in JSON

	mu       sync.Mutex
	requests [][]byte
}

// use is a turn that calls tools: names and arguments by turns.
func use(calls ...string) string {
	var blocks []string
	for i := 0; i < len(calls); i += 2 {
		blocks = append(blocks, fmt.Sprintf(`{"type": "tool_use", "id": "toolu_%d", "name": %q, "input": %s}`, i/2+1, calls[i], calls[i+1]))
	}
	return strings.Join(blocks, ", ")
}

// say is a turn of text.
func say(text string) string { return fmt.Sprintf(`{"type": "text", "text": %q}`, text) }

func (m *model) client() anthropic.Client {
	return anthropic.NewClient(option.WithAPIKey("none"), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: m}))
}

func (m *model) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) == len(m.turns) {
		return nil, fmt.Errorf("the model has only %d turns", len(m.turns))
	}
	turn := m.turns[len(m.requests)]
	m.requests = append(m.requests, body)
	stop := "end_turn"
	if strings.Contains(turn, "tool_use") {
		stop = "tool_use"
	}
	answer := fmt.Sprintf(`{"id": "msg_1", "type": "message", "role": "assistant", "model": "none", "content": [%s],
		"stop_reason": %q, "usage": {"input_tokens": 1, "output_tokens": 1}}`, turn, stop)
	return &http.Response{
		StatusCode: http.StatusOK, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewBufferString(answer)),
	}, nil
}

// sent is what a request holds of interest here.
type sent struct {
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	Messages []struct {
		Role    string   `json:"role"`
		Content []result `json:"content"`
	} `json:"messages"`
}

// result is a block of type tool_result.
type result struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Content   []struct {
		Type   string `json:"type"`
		Text   string `json:"text"`
		Source struct {
			Type      string `json:"type"`
			MediaType string `json:"media_type"`
			Data      []byte `json:"data"` // encoding/json decodes base64
		} `json:"source"`
	} `json:"content"`
}

// last is the last request, and the results that it sends back.
func (m *model) last() (sent, []result) {
	var s sent
	if err := json.Unmarshal(m.requests[len(m.requests)-1], &s); err != nil {
		panic(err)
	}
	return s, s.Messages[len(s.Messages)-1].Content
}
