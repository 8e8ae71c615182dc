package server

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"strings"
	"sync/atomic"

	"einvoice/server/refusal"
)

// A framedListener accepts connections that notice requests which announce their length
// twice, by Content-Length and by chunks. net/http takes the chunks for true and forgets
// the length; a proxy in front may have gone by the length, and take what follows for
// another request. RFC 9112, 6.1 and 6.3, lets a server refuse them.
type framedListener struct{ net.Listener }

// Accept waits for a connection.
func (l framedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framedConn{Conn: c}, nil
}

// A framedConn follows the requests of a connection, up to the first that has chunks:
// after it the connection is closed.
type framedConn struct {
	net.Conn
	head      []byte // of the request that is being read
	skip      int64  // bytes of its body that are left
	ended     bool   // nothing more is followed
	ambiguous atomic.Bool
}

// longestHead is more than the server accepts.
const longestHead = 64 << 10

// Read reads, and looks at what it read.
func (c *framedConn) Read(to []byte) (int, error) {
	n, err := c.Conn.Read(to)
	if !c.ended {
		c.follow(to[:n])
	}
	return n, err
}

func (c *framedConn) follow(data []byte) {
	for len(data) > 0 && !c.ended {
		if c.skip > 0 {
			n := min(c.skip, int64(len(data)))
			c.skip -= n
			data = data[n:]
			continue
		}
		from := max(len(c.head)-3, 0)
		c.head = append(c.head, data...)
		end := bytes.Index(c.head[from:], []byte("\r\n\r\n"))
		if end < 0 {
			c.ended = len(c.head) > longestHead
			return
		}
		end += from + 4
		data = data[len(data)-(len(c.head)-end):]
		c.announced(string(c.head[:end]))
		c.head = c.head[:0]
	}
}

// announced looks at the lengths that a head announces.
func (c *framedConn) announced(head string) {
	length, chunks := "", false
	for _, line := range strings.Split(head, "\r\n")[1:] {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			length = strings.TrimSpace(value)
		case strings.EqualFold(strings.TrimSpace(name), "Transfer-Encoding"):
			chunks = true
		}
	}
	switch {
	case chunks:
		c.ended = true
		c.ambiguous.Store(length != "")
	case length != "":
		n, err := strconv.ParseInt(length, 10, 64)
		c.skip, c.ended = n, err != nil || n < 0
	}
}

type connKey struct{}

// withConn lets handlers find the connection of a request.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// framed refuses a request whose length is announced twice, and closes the connection
// after any with chunks.
func (s *Server) framed(x *exchange) error {
	if len(x.request.TransferEncoding) == 0 {
		return nil
	}
	x.Header().Set("Connection", "close")
	if c, ok := x.request.Context().Value(connKey{}).(*framedConn); ok && c.ambiguous.Load() {
		return newProblem(refusal.BodyIncomplete, "The request has both Content-Length and Transfer-Encoding. Send one of them.")
	}
	return nil
}
