package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// longest is how many bytes one message may have.
const longest = 16 << 20

// A message is one of JSON-RPC 2.0: a request, an answer or a notification.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // none for a notification
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// A failure is why a request has no result.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// The codes of failures that JSON-RPC and the protocol lay down.
const (
	codeParse    = -32700
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603
)

// read reads a message: headers, an empty line, and JSON of the announced length.
func read(r *bufio.Reader) (*message, error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || length < 0 || length > longest {
		return nil, fmt.Errorf("Content-Length is %q; it is the length of a message in bytes, at most %d", header.Get("Content-Length"), longest)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	m := &message{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errors.Join(errMalformed, err)
	}
	return m, nil
}

// errMalformed is a message that is not JSON; the next one can still be read.
var errMalformed = errors.New("the message is not JSON")

// A writer writes messages, of several goroutines.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *writer) write(m *message) error {
	m.Version = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = fmt.Fprintf(w.w, "Content-Length: %d\r\n\r\n%s", len(data), data)
	return err
}
