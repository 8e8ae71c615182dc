package font_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"einvoice/formats/pdf/font"

	"github.com/go-fonts/liberation/liberationsansregular"
)

// encrypt is the encryption of Type 1 fonts.
func encrypt(plain []byte, key uint16) []byte {
	cipher := make([]byte, len(plain))
	for i, p := range plain {
		cipher[i] = p ^ byte(key>>8)
		key = (uint16(cipher[i])+key)*52845 + 22719
	}
	return cipher
}

const type1Head = "%!PS-AdobeFont-1.0: Test\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n" +
	"dup 65 /A put\ndup 8#102 /B put\nreadonly def\ncurrentfile eexec\n"

// type1Font is a font with two glyphs: A is 600 wide, and B 1200/2.
func type1Font() []byte {
	return append([]byte(type1Head), encrypt(type1Private(), 55665)...)
}

// type1Private is the part of it that is encrypted.
func type1Private() []byte {
	glyph := func(name string, code ...byte) string {
		body := encrypt(append([]byte{0, 0, 0, 0}, code...), 4330)
		return fmt.Sprintf("/%s %d RD %s ND\n", name, len(body), body)
	}
	return []byte("    dup /Private 9 dict dup begin /lenIV 4 def /Subrs 0 array\n2 index /CharStrings 3 dict dup begin\n" +
		glyph(".notdef", 139, 139, 13, 14) +
		glyph("A", 139, 248, 236, 13, 14) + // 0 600 hsbw endchar
		glyph("B", 139, 255, 0, 0, 0x04, 0xB0, 141, 12, 12, 13, 14) + // 0 1200 2 div hsbw endchar
		"end end\n")
}

func TestType1(t *testing.T) {
	f := parse(t, type1Font())
	if f.Glyphs != 3 || f.BuiltIn('A') != "A" || f.BuiltIn('B') != "B" || f.BuiltIn('C') != "" {
		t.Errorf("%d glyphs, %q for A", f.Glyphs, f.BuiltIn('A'))
	}
	for _, name := range []string{"A", "B"} {
		if glyph, found := f.ByName(name); !found || f.Width(glyph) != 600 {
			t.Errorf("%s is %.0f wide", name, f.Width(glyph))
		}
	}
}

// cffFont is a font with two glyphs: A has the default width, 500; B has the nominal
// width 600 and 11 more.
func cffFont() []byte {
	index := func(items ...[]byte) []byte {
		b := []byte{0, byte(len(items))}
		if len(items) == 0 {
			return b
		}
		b = append(b, 1)
		at := 1
		for _, i := range items {
			b = append(b, byte(at))
			at += len(i)
		}
		return append(append(b, byte(at)), bytes.Join(items, nil)...)
	}
	number := func(v int) []byte { return []byte{28, byte(v >> 8), byte(v)} }
	entry := func(op byte, values ...int) (b []byte) {
		for _, v := range values {
			b = append(b, number(v)...)
		}
		return append(b, op)
	}
	private := append(entry(20, 500), entry(21, 600)...)
	glyphs := index([]byte{14}, []byte{239, 239, 21, 14}, []byte{150, 239, 239, 21, 14})
	top := func(charset, glyphsAt, privateAt int) []byte {
		return bytes.Join([][]byte{entry(15, charset), entry(17, glyphsAt), entry(18, len(private), privateAt)}, nil)
	}
	head := func(d []byte) []byte {
		return bytes.Join([][]byte{{1, 0, 4, 1}, index([]byte("T")), index(d), index(), index()}, nil)
	}
	charset := []byte{0, 0, 34, 0, 35} // A, B
	at := len(head(top(0, 0, 0)))
	d := top(at, at+len(charset), at+len(charset)+len(glyphs))
	return bytes.Join([][]byte{head(d), charset, glyphs, private}, nil)
}

func TestCFF(t *testing.T) {
	f := parse(t, cffFont())
	for name, want := range map[string]float64{"A": 500, "B": 611} {
		if glyph, found := f.ByName(name); !found || f.Width(glyph) != want {
			t.Errorf("%s is glyph %d and %.0f wide, want %.0f", name, glyph, f.Width(glyph), want)
		}
	}
	if f.BuiltIn('A') != "A" || f.CID {
		t.Errorf("the font's own encoding has %q for A", f.BuiltIn('A'))
	}
}

// A program whose parts contradict each other is damaged, though some readers would show it.
func TestContradictions(t *testing.T) {
	longer := bytes.Replace(type1Private(), []byte("/A 9 RD"), []byte("/A 7 RD"), 1)
	number := cffFont()
	at := bytes.LastIndex(number, []byte{28, 1, 244, 20}) // the default width, 500
	if at < 0 || bytes.Equal(longer, type1Private()) {
		t.Fatal("the fonts have changed")
	}
	for name, data := range map[string][]byte{
		"a glyph longer than it says": append([]byte(type1Head), encrypt(longer, 55665)...),
		"a number without digits":     append(append(bytes.Clone(number[:at]), 30, 0xEE, 0xFF, 20), number[at+4:]...),
	} {
		if _, err := font.Parse(data); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// Bearings that a TrueType font lacks are zero, and it has to be written again.
func TestShortMetrics(t *testing.T) {
	whole := parse(t, liberationsansregular.TTF)
	subset, err := whole.WithWidths(nil)
	if err != nil || whole.Incomplete {
		t.Fatal(err)
	}
	entry := func(tag string) []byte { return subset[bytes.Index(subset, []byte(tag)):] } // of the directory
	hhea := subset[binary.BigEndian.Uint32(entry("hhea")[8:]):]
	binary.BigEndian.PutUint16(hhea[34:], uint16(whole.Glyphs-1))
	binary.BigEndian.PutUint32(entry("hmtx")[12:], uint32(4*(whole.Glyphs-1)))
	f := parse(t, subset)
	if !f.Incomplete || f.Width(5) != whole.Width(5) {
		t.Errorf("a font without its last bearing is taken for whole")
	}
	repaired, err := f.WithWidths(nil)
	if err != nil || parse(t, repaired).Incomplete {
		t.Errorf("written anew it is not whole: %v", err)
	}
}
