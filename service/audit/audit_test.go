package audit_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"einvoice/model/problem"
	"einvoice/service/audit"
)

func logOf(t *testing.T, n int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	l, err := audit.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := l.Append(map[string]int{"event": i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whatever byte of a log is changed, and whatever line is taken away, moved or written twice, it is
// told, but for what is missing at the end: that shows by the digest of the head.
func TestEveryChangeIsTold(t *testing.T) {
	whole := logOf(t, 20)
	n, head, err := audit.Verify(bytes.NewReader(whole), nil)
	if n != 20 || err != nil {
		t.Fatal(n, err)
	}
	for at := range whole {
		changed := bytes.Clone(whole)
		changed[at] ^= 1 << (at % 7)
		if _, other, err := audit.Verify(bytes.NewReader(changed), nil); err == nil && other == head {
			t.Errorf("a changed byte at %d (%q) is not told", at, whole[at])
		}
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	lines = lines[:20]
	for i := range lines {
		for _, changed := range [][][]byte{
			append(append([][]byte{}, lines[:i]...), lines[i+1:]...),
			append(append(append([][]byte{}, lines[:i+1]...), lines[i]), lines[i+1:]...),
		} {
			n, other, err := audit.Verify(bytes.NewReader(bytes.Join(changed, nil)), nil)
			if err == nil && (other == head || n != 19 || i != 19) {
				t.Errorf("line %d is gone or twice, and it is not told", i+1)
			}
			if told, ok := errors.AsType[*problem.Error](err); err != nil && (!ok || told.Code != audit.CodeBroken) {
				t.Error(err)
			}
		}
	}
}

// A process may end at any byte: the log opens with what was whole, and goes on.
func TestTornAnywhere(t *testing.T) {
	whole := logOf(t, 5)
	chance := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		cut := chance.IntN(len(whole) + 1)
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		seen := 0
		l, err := audit.Open(path, func(audit.Line) error { seen++; return nil })
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if want := bytes.Count(whole[:cut], []byte("\n")); seen != want {
			t.Errorf("cut at %d: %d events, there were %d", cut, seen, want)
		}
		if err := errors.Join(l.Append("more"), l.Close()); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(path)
		if n, _, err := audit.Verify(bytes.NewReader(data), nil); n != seen+1 || err != nil {
			t.Errorf("cut at %d: %d events after one more: %v", cut, n, err)
		}
	}
}
