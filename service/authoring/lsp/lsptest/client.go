// Package lsptest is a client of language servers, for tests.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
	"testing"
	"time"
)

// patience guards a test against waiting for ever.
const patience = 2 * time.Minute

// A Client speaks to a language server.
type Client struct {
	t   testing.TB
	out io.Writer

	mu      sync.Mutex
	last    int
	waiting map[string]chan json.RawMessage // by the id of a request
	notices chan Notice
}

// A Notice is a notification of the server.
type Notice struct {
	Method string
	Params json.RawMessage
}

// New makes a client that writes to a server and reads what it says.
func New(t testing.TB, out io.Writer, in io.Reader) *Client {
	c := &Client{t: t, out: out, waiting: map[string]chan json.RawMessage{}, notices: make(chan Notice, 1000)}
	go c.listen(bufio.NewReader(in))
	return c
}

func (c *Client) listen(in *bufio.Reader) {
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		data := make([]byte, length)
		if _, err := io.ReadFull(in, data); err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(data, &m) != nil {
			return
		}
		switch {
		case m.Method != "" && m.ID != nil: // a request of the server's
			_ = c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, m.ID))
		case m.Method != "":
			c.notices <- Notice{m.Method, m.Params}
		default:
			c.mu.Lock()
			answer := c.waiting[string(m.ID)]
			c.mu.Unlock()
			if answer != nil {
				answer <- data
			}
		}
	}
}

func (c *Client) write(text string) error {
	_, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return err
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	data, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, data)); err != nil {
		c.t.Fatal(err)
	}
}

// Ask sends a request and returns the whole answer.
func (c *Client) Ask(method string, params any) json.RawMessage {
	c.t.Helper()
	data, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.last++
	id := strconv.Itoa(c.last)
	answer := make(chan json.RawMessage, 1)
	c.waiting[id] = answer
	c.mu.Unlock()
	if err := c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, data)); err != nil {
		c.t.Fatal(err)
	}
	select {
	case a := <-answer:
		return a
	case <-time.After(patience):
		c.t.Fatalf("%s is not answered", method)
		return nil
	}
}

// Wait returns the next notification of a method that a condition accepts.
func (c *Client) Wait(method string, accept func(json.RawMessage) bool) json.RawMessage {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case n := <-c.notices:
			if n.Method == method && accept(n.Params) {
				return n.Params
			}
		case <-timeout:
			c.t.Fatalf("no %s came that was waited for", method)
			return nil
		}
	}
}
