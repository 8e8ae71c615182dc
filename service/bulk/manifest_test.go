package bulk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
)

// Lines of the manifest and of an index are what encoding/json writes, and come back as they
// were, names that are not UTF-8 as well.
func TestLines(t *testing.T) {
	entries := []Entry{
		{Key: "a/b.xml", Size: 13, Hash: hashOf(nil), Stamp: 12, At: 512, Of: &place{2, 0}},
		{Key: "new\nline \"<é>\" \u2028\x7f", Hash: "etag:\"x\""},
	}
	for _, e := range entries {
		want, err := json.Marshal(e)
		if got := e.appendLine(nil); err != nil || string(got) != string(want)+"\n" {
			t.Errorf("got %s, want %s, %v", got, want, err)
		}
	}
	for _, e := range append(entries, Entry{Key: "caf\xe9 \xff.xml", Size: 1}) {
		var back Entry
		if err := back.readLine(e.appendLine(nil)); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("got %+v, want %+v, %v", back, e, err)
		}
	}
	plain, again := Entry{Key: "é/b.xml", Size: 13, Hash: hashOf(nil), Stamp: 12, At: -1}, Entry{}
	if line := plain.appendLine(nil); !again.readPlain(line) || !reflect.DeepEqual(plain, again) {
		t.Errorf("%s is not read as it is written: %+v", line, again)
	}
	for _, line := range []string{`{"key":"a","size":1}`, `{"key": "a","size":1}` + "\n", `{"key":"a","size":1,"hash":"\u0061"}` + "\n", `{"size":1,"key":"a"}` + "\n"} {
		want, got := Entry{}, Entry{}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		if again.readPlain([]byte(line)) {
			t.Errorf("%s is not written so", line)
		}
		if err := got.readLine([]byte(line)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v of %s, %v", got, line, err)
		}
	}
	for _, line := range []string{"", "{}x", `{"key":"a","size":"1"}`, `{"key":"a","size":1}{}`} {
		if err := new(Entry).readLine([]byte(line)); err == nil {
			t.Errorf("%q is a line", line)
		}
	}
	for _, r := range []row{
		{Length: 3, Outcome: Outcome{Verdict: Unreadable}},
		{Hash: "sha256:00", Length: 1, Files: 2, Outcome: Outcome{
			Verdict: Invalid, Findings: 3, Seller: "A & B \"ß\"", Month: "2026-11", Terms: "AA", Changed: true, Code: "XML-LIMIT",
			Rules: map[string]RuleCount{"Z": {Level: "fatal", Findings: 2, Documents: 1}, "A": {"warning", 0, 1, 2, 3}},
		}},
	} {
		want, err := json.Marshal(r)
		if got := r.appendLine(nil); err != nil || string(got) != string(want)+"\n" {
			t.Errorf("got %s, want %s, %v", got, want, err)
		}
	}
}

// A batch that is read from its lines is the one that has them.
func TestReadBatch(t *testing.T) {
	var got *Batch
	to := batcher{most: 10, yield: func(b *Batch) error { got = b; return nil }}
	for _, e := range []Entry{{Key: "a", Size: 1}, {Key: "\xff", Size: 2}} {
		if _, err := to.place(&e); err != nil {
			t.Fatal(err)
		}
		to.add(&e, e.appendLine(nil), nil)
	}
	if err := to.end(); err != nil {
		t.Fatal(err)
	}
	back, err := ReadBatch(got.Number, got.Lines)
	if err != nil || back.Number != 1 || !reflect.DeepEqual(back.Entries, got.Entries) || !bytes.Equal(back.Lines, got.Lines) || back.digest() != got.digest() {
		t.Errorf("got %+v, %v", back, err)
	}
	if _, err := ReadBatch(1, []byte("x\n")); err == nil {
		t.Error("what is not a line of a manifest is a batch")
	}
}

// A table finds what was put into it, in memory and in files.
func TestTable(t *testing.T) {
	t.Parallel()
	before := slotsInMemory
	defer func() { slotsInMemory = before }()
	slotsInMemory = firstSlots
	folder := t.TempDir()
	table, err := newTable(filepath.Join(folder, "table"))
	if err != nil {
		t.Fatal(err)
	}
	key := func(n int) sum { return sha256.Sum256(binary.AppendVarint(nil, int64(n))) }
	const n = 300_000 // more than two files have room for
	for i := range n {
		if at, err := table.put(key(i), place{i + 1, i % 7}); err != nil || at != (place{i + 1, i % 7}) {
			t.Fatal(i, at, err)
		}
	}
	for i := range n {
		k := key(i)
		if at, _, err := table.find(&k); err != nil || at != (place{i + 1, i % 7}) {
			t.Fatal(i, at, err)
		}
	}
	if at, err := table.put(key(5), place{1, 1}); err != nil || at != (place{6, 5}) {
		t.Error("what is there is put again:", at, err)
	}
	none := key(n)
	if at, _, err := table.find(&none); err != nil || at != (place{}) {
		t.Error("what is not there is found:", at, err)
	}
	table.close()
	if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) > 0 {
		t.Errorf("what is left: %v %v", left, err)
	}
}
