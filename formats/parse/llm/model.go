package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"einvoice/formats/parse"
	"einvoice/model/numeral"
)

// A Model is a language model at an endpoint. Several goroutines may use it.
type Model struct {
	config Config
	at     string
	key    string
	client *http.Client
}

// Ask asks the model. It takes no more time than the configuration says, and no more
// than half of what the context has left, so that an answer can be made without it.
func (m *Model) Ask(ctx context.Context, q *parse.Question) (*parse.Answer, error) {
	if q.Words > m.config.Words {
		return nil, &parse.AskError{Reason: parse.ReasonWords, Detail: numeral.Count(m.config.Words, "word")}
	}
	longest := m.config.Time
	if deadline, limited := ctx.Deadline(); limited {
		longest = min(longest, time.Until(deadline)/2)
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	answer, err := m.ask(limited, q)
	if limited.Err() != nil && err != nil {
		return nil, &parse.AskError{Reason: parse.ReasonTimeout, Detail: longest.Round(time.Millisecond).String(), Cause: limited.Err()}
	}
	return answer, err
}

func (m *Model) ask(ctx context.Context, q *parse.Question) (*parse.Answer, error) {
	messages, err := m.messages(ctx, q)
	if err != nil {
		return nil, &parse.AskError{Reason: parse.ReasonPictures, Cause: err}
	}
	body, err := json.Marshal(request{Model: m.config.Model, Messages: messages, ResponseFormat: formatOf(q)})
	if err != nil {
		return nil, fmt.Errorf("write the question to the language model: %w", err)
	}
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, m.at, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("write the question to the language model: %w", err)
	}
	sent.Header.Set("Content-Type", "application/json")
	sent.Header.Set("Accept", "application/json")
	if m.key != "" {
		sent.Header.Set("Authorization", "Bearer "+m.key)
	}
	received, err := m.client.Do(sent)
	if err != nil {
		return nil, &parse.AskError{Reason: parse.ReasonUnreachable, Cause: errors.New("there is no connection")}
	}
	defer received.Body.Close()
	if received.StatusCode != http.StatusOK {
		return nil, &parse.AskError{Reason: parse.ReasonStatus, Detail: strconv.Itoa(received.StatusCode)}
	}
	data, err := io.ReadAll(io.LimitReader(received.Body, int64(m.config.Bytes)+1))
	switch {
	case err != nil:
		return nil, &parse.AskError{Reason: parse.ReasonUnreachable, Cause: errors.New("the connection broke")}
	case len(data) > m.config.Bytes:
		return nil, &parse.AskError{Reason: parse.ReasonSize, Detail: numeral.Count(m.config.Bytes, "byte")}
	}
	return answerOf(data)
}

// answerOf reads what the endpoint answers. A second answer is not looked at.
func answerOf(data []byte) (*parse.Answer, error) {
	var all response
	if err := json.Unmarshal(data, &all); err != nil || len(all.Choices) == 0 {
		return nil, &parse.AskError{Reason: parse.ReasonAnswer}
	}
	answer := &parse.Answer{}
	read := json.NewDecoder(bytes.NewReader([]byte(all.Choices[0].Message.Content)))
	read.DisallowUnknownFields()
	if err := read.Decode(answer); err != nil {
		return nil, &parse.AskError{Reason: parse.ReasonAnswer}
	}
	if _, err := read.Token(); !errors.Is(err, io.EOF) {
		return nil, &parse.AskError{Reason: parse.ReasonAnswer}
	}
	return answer, nil
}
