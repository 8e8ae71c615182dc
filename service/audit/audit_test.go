package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/model/problem"
	"einvoice/service/audit"
	"einvoice/service/bulk"
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

// Whatever is done to documents and reports is told of each of them, in the order of the log. Of
// documents with the same bytes the last one has to be there: an earlier one may have been handed in
// again.
func TestEachFileIsTold(t *testing.T) {
	folder := t.TempDir()
	chance := rand.New(rand.NewPCG(36, 8))
	log, err := audit.Open(filepath.Join(folder, audit.FileName), nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	contents := map[string][]byte{}
	var events []audit.Event
	last := map[string]int{} // by the digest of a document
	for i := range 60 {
		text := fmt.Appendf(nil, "document %d", chance.IntN(25))
		report := fmt.Appendf(nil, "report %d", i)
		e := audit.Event{File: fmt.Sprintf("%d.xml", i), Source: "in", SHA256: audit.Sum(text), Bytes: int64(len(text)), Verdict: []string{"valid", "dead"}[i%2], Report: audit.Sum(report)}
		contents[e.Document()], contents[e.ReportName()] = text, report
		write(e.Document(), text)
		write(e.ReportName(), report)
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
		events, last[e.SHA256] = append(events, e), i
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	check := func() []string {
		t.Helper()
		c, err := audit.CheckIn(t.Context(), bulk.Folder(folder), "", []string{"valid/", "dead/"})
		if err != nil {
			t.Fatal(err)
		}
		return c.Wrong
	}
	if wrong := check(); len(wrong) > 0 {
		t.Fatalf("as it was written: %q", wrong)
	}
	for range 12 {
		var want []string
		for i, e := range events {
			for _, name := range []string{e.Document(), e.ReportName()} {
				path := filepath.Join(folder, name)
				switch chance.IntN(20) {
				case 0:
					write(name, append(slices.Clone(contents[name]), '\n'))
					want = append(want, name+": it was changed")
				case 1:
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
					if name == e.ReportName() || last[e.SHA256] == i {
						want = append(want, name+": it is gone")
					}
				case 2:
					if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
						t.Fatal(err)
					}
					want = append(want, name+": it cannot be read")
				}
			}
		}
		write("valid/own.xml", nil)
		wrong := check()
		told := slices.Clone(wrong)
		if len(told) == 0 || told[len(told)-1] != "valid/own.xml: the log does not know it" {
			t.Errorf("what was added is not told last: %q", told)
		}
		if told = told[:max(0, len(told)-1)]; !slices.EqualFunc(told, want, strings.HasPrefix) {
			t.Errorf("told is %q, want %q", told, want)
		}
		for name, data := range contents {
			if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
			write(name, data)
		}
		if err := os.Remove(filepath.Join(folder, "valid/own.xml")); err != nil {
			t.Fatal(err)
		}
	}
}

// A document is kept under an ending that every log and folder has room for, whatever its name.
func TestEndings(t *testing.T) {
	for name, want := range map[string]string{
		"a.xml": ".xml", "a.XML": ".XML", "a": "", "a.": "", "a.x\xff": "", "a.x\n": "", "a." + strings.Repeat("y", 200): "", "a.b/c": "", ".pdf": ".pdf", "a.ü": "",
	} {
		e := audit.Event{File: name, SHA256: audit.Sum(nil), Program: "p"}
		if got := e.Document(); got != "documents/e3/"+e.SHA256+want {
			t.Errorf("%q is kept as %s", name, got)
		}
	}
}

// However processes take turns with a log, such as a watch and an archive of one folder, nothing that one
// of them was told to be written is lost: who comes while another has it is refused.
func TestOneWritesAtATime(t *testing.T) {
	for seed := range uint64(10) {
		chance := rand.New(rand.NewPCG(seed, 9))
		path := filepath.Join(t.TempDir(), audit.FileName)
		writers := make([]*audit.Log, 3)
		written := 0
		for range 40 {
			w := &writers[chance.IntN(len(writers))]
			switch {
			case *w == nil:
				l, err := audit.Open(path, nil)
				if told, is := errors.AsType[*problem.Error](err); err != nil && (!is || told.Code != bulk.CodeBusy) {
					t.Fatal(err)
				}
				*w = l
			case chance.IntN(4) == 0:
				if err := (*w).Close(); err != nil {
					t.Fatal(err)
				}
				*w = nil
			default:
				if err := (*w).Append(map[string]int{"event": written}); err != nil {
					t.Fatal(err)
				}
				written++
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n, _, err := audit.Verify(bytes.NewReader(data), nil); n != written || err != nil {
			t.Fatalf("seed %d: %d of %d lines: %v", seed, n, written, err)
		}
		for _, w := range writers {
			if w != nil {
				_ = w.Close()
			}
		}
	}
}
