package inputfile_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"einvoice/service/inputfile"
)

// A list names the same paths however an editor or a shell saves it.
func TestPathsOfAnySystem(t *testing.T) {
	utf16 := func(order unicode.Endianness) encoding.Encoding { return unicode.UTF16(order, unicode.UseBOM) }
	for name, saved := range map[string]encoding.Encoding{
		"UTF-8": encoding.Nop, "UTF-8 with a mark": unicode.UTF8BOM, "UTF-16LE": utf16(unicode.LittleEndian), "UTF-16BE": utf16(unicode.BigEndian),
	} {
		for _, end := range []string{"\n", "\r\n", "\n\n", "\r\n \r\n"} {
			for n := range 3 {
				var want []string
				for i := range n {
					want = append(want, fmt.Sprintf("Rechnungen/Müller %d 𝄞/à.xml", i))
				}
				for _, last := range []string{"", end} {
					text := strings.Join(want, end) + last
					data, err := saved.NewEncoder().String(text)
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					if err := inputfile.Paths(strings.NewReader(data), func(path string) error { got = append(got, path); return nil }); err != nil || !slices.Equal(got, want) {
						t.Errorf("%s, %q: %q, %v, want %q", name, text, got, err, want)
					}
				}
			}
		}
	}
}

func TestPaths(t *testing.T) {
	var got []string
	if err := inputfile.Paths(strings.NewReader("a\xff.xml\n"), func(path string) error { got = append(got, path); return nil }); err != nil || !slices.Equal(got, []string{"a\xff.xml"}) {
		t.Errorf("%q, %v", got, err)
	}
	none := func(string) error { return nil }
	if err := inputfile.Paths(strings.NewReader(strings.Repeat("a", 1<<17)), none); !errors.Is(err, inputfile.ErrNotPath) {
		t.Errorf("a line that is no path: %v", err)
	}
	for _, cut := range []string{"\xff\xfea\x00\n\x00b", "\xfe\xff\x00a\x00\n\x00"} {
		if err := inputfile.Paths(strings.NewReader(cut), none); err == nil {
			t.Errorf("%q, which ends within a character, is a list", cut)
		}
	}
	got = nil
	if err := inputfile.Paths(strings.NewReader("\xff\xfe\x3d\xd8a\x00\n\x00\x3d\xd8"), func(path string) error { got = append(got, path); return nil }); err != nil || !slices.Equal(got, []string{"\ufffda", "\ufffd"}) {
		t.Errorf("half pairs: %q, %v", got, err)
	}
	stop := errors.New("stop")
	if err := inputfile.Paths(strings.NewReader("a\nb\n"), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
