//go:build machines

package nats

import (
	"bytes"
	"reflect"
	"testing"

	"einvoice/service/bulk"
)

// A batch that a message carries is the one that was published.
func TestMessage(t *testing.T) {
	sent := &bulk.Batch{Number: 7, Lines: []byte(`{"key":"a","size":1}` + "\n" + `{"key":"b","size":2}` + "\n"), Entries: []bulk.Entry{{Key: "a", Size: 1}, {Key: "b", Size: 2}}}
	got, err := readMessage(message(sent))
	if err != nil || got.Number != 7 || !bytes.Equal(got.Lines, sent.Lines) || !reflect.DeepEqual(got.Entries, sent.Entries) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := readMessage([]byte("x\n")); err == nil {
		t.Error("a message without a number is a batch")
	}
}
