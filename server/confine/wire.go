package confine

import (
	"bufio"
	"encoding/gob"
	"io"
	"sync"
)

// A wire carries messages. Bodies go as they are, beside the message, so that a large one is
// not copied.
type wire struct {
	mu      sync.Mutex // serialises what is sent
	out     io.Writer
	encoder *gob.Encoder
	in      *bufio.Reader // which the decoder reads no further than it must
	decoder *gob.Decoder
}

func newWire(in io.Reader, out io.Writer) *wire {
	reader := bufio.NewReader(in)
	return &wire{out: out, encoder: gob.NewEncoder(out), in: reader, decoder: gob.NewDecoder(reader)}
}

func (w *wire) send(m message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var body []byte
	switch {
	case m.Call != nil:
		bare := *m.Call
		body, bare.Body = bare.Body, nil
		m.Call = &bare
	case m.Reply != nil:
		bare := *m.Reply
		body, bare.Body = bare.Body, nil
		m.Reply = &bare
	}
	m.Body = len(body)
	if err := w.encoder.Encode(&m); err != nil {
		return err
	}
	_, err := w.out.Write(body)
	return err
}

func (w *wire) receive() (m message, err error) {
	if err := w.decoder.Decode(&m); err != nil {
		return m, err
	}
	body := make([]byte, m.Body)
	_, err = io.ReadFull(w.in, body)
	switch {
	case m.Call != nil:
		m.Call.Body = body
	case m.Reply != nil:
		m.Reply.Body = body
	}
	return m, err
}
