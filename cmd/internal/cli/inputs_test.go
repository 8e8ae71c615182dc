package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
)

// A file of 200 MB is refused without being read, and standard input after the
// limit, so that memory stays bounded.
func TestHugeInputIsRefused(t *testing.T) {
	const size, limit = 200 << 20, 64 << 20
	huge := filepath.Join(t.TempDir(), "huge.xml")
	if err := os.WriteFile(huge, []byte("<a>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, size); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	data, err := readInput(huge, nil, limit)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), xmlparse.CodeLimit) || len(data) > 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("refusing the file took %d bytes of memory", used)
	}
	data, err = readInput("-", bytes.NewReader(make([]byte, 3*limit/1024)), limit/1024)
	if err != nil || len(data) != limit/1024+1 {
		t.Errorf("%d bytes were read, %v", len(data), err)
	}
}

// An input is read as it is, whatever its size.
func TestReadInputIsComplete(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 513, 100_000} {
		name := filepath.Join(t.TempDir(), "f")
		want := bytes.Repeat([]byte{'x'}, size)
		if err := os.WriteFile(name, want, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readInput(name, nil, 1<<20)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

// A list without a path is refused in every form that it may come in: the documents were not
// valid, there were none.
func TestListWithoutPath(t *testing.T) {
	for _, text := range []string{"", "\n", " \r\n\t\r\n", "\xef\xbb\xbf", "\xef\xbb\xbf\r\n", "\xff\xfe", "\xff\xfe\r\x00\n\x00"} {
		list := filepath.Join(t.TempDir(), "list.txt")
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for language, want := range map[string]string{"en": "there is no path in the list " + list, "de": "in der Liste " + list, "fr": "dans la liste " + list} {
			said, err := os.Create(filepath.Join(t.TempDir(), "said"))
			if err != nil {
				t.Fatal(err)
			}
			status := Machines{}.run([]string{"validate", "--language", language, "-o", "junit", "@" + list}, os.Stdin, said, said)
			if err := said.Close(); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(said.Name()); err != nil || status != exitUnreadable || !strings.Contains(string(got), want) {
				t.Errorf("%q: status %d, %s%v", text, status, got, err)
			}
		}
	}
}
