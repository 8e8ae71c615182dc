package conformance_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/text"
)

var chromium = flag.String("chromium", "", "Chromium, to open rendered HTML and SVG in")

// cutOff finds what is not seen: elements that are wider than their area and do not scroll,
// and texts that reach over the edge of the window.
const cutOff = `[...document.querySelectorAll("main *")].filter(e => {
	const scrolls = e.closest("section") && getComputedStyle(e.closest("section")).overflowX === "auto";
	const box = e.getBoundingClientRect();
	return box.width > 0 && !scrolls && (box.right > innerWidth + 1 || box.left < -1);
}).map(e => e.tagName + "." + e.className + " " + e.textContent.slice(0, 60))`

// crowded finds cells of tables whose text reaches into the next one.
const crowded = `[...document.querySelectorAll("td, th")].filter(e => {
	const range = document.createRange();
	range.selectNodeContents(e);
	return [...range.getClientRects()].some(r => r.width > 0 && (r.right > e.getBoundingClientRect().right + 1 || r.left < e.getBoundingClientRect().left - 1));
}).map(e => e.textContent.slice(0, 60))`

// HTML and SVG of the samples load nothing, and nothing of them is cut off: on a wide
// screen, on that of a telephone, and on paper.
func TestHTMLInBrowser(t *testing.T) {
	if *chromium == "" {
		t.Skip("no browser is given with -chromium")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	all := looks(t)
	b := startBrowser(t, *chromium)
	dir := t.TempDir()
	for _, s := range samples {
		inv := s.invoice(t, suites)
		look := s.look
		if look == "own" {
			look = "html"
		}
		options := page.Options{Language: s.language, Look: all[look]}
		r, err := page.HTML(t.Context(), inv, options)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, s.name+".html")
		save(t, file, r.Data)
		if !utf8.Valid(r.Data) || bytes.ContainsRune(r.Data, utf8.RuneError) {
			t.Errorf("%s: a text is cut within a character", s.name)
		}
		for _, width := range []int{1200, 794, 360} {
			b.open("file://"+file, width, false)
			b.wantsNoRequest(t, s.name)
			b.wantsNone(t, s.name, width, cutOff, "is cut off")
			b.wantsNone(t, s.name, width, crowded, "reaches over its cell")
			var scrolled, inner int
			b.evaluate("document.documentElement.scrollWidth", &scrolled)
			b.evaluate("innerWidth", &inner)
			if scrolled > inner {
				t.Errorf("%s at %d: the page is %d wide", s.name, width, scrolled)
			}
		}
		b.open("file://"+file, 794, true)
		var shown string
		b.evaluate("document.querySelector('main').innerText", &shown)
		onPaper(t, s.name, b.print(), shown)
		svg, err := page.SVG(t.Context(), inv, options)
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(dir, s.name+".svg")
		save(t, file, svg.Data)
		b.open("file://"+file, 1200, false)
		b.wantsNoRequest(t, s.name+".svg")
		b.wantsNone(t, s.name+".svg", 1200, `[...document.querySelectorAll("text")].filter(e => {
			const text = e.getBoundingClientRect(), sheet = e.parentNode.querySelector("rect").getBoundingClientRect();
			return text.right > sheet.right || text.left < sheet.left || text.bottom > sheet.bottom;
		}).map(e => e.textContent.slice(0, 60))`, "is not on its page")
	}
}

// wantsNoRequest wants nothing to be asked for but the page itself, and what is inside it.
func (b *browser) wantsNoRequest(t *testing.T, name string) {
	t.Helper()
	asked := slices.DeleteFunc(slices.Clone(b.requests), func(address string) bool { return strings.HasPrefix(address, "data:") })
	if len(asked) != 1 || !strings.HasPrefix(asked[0], "file://") {
		t.Errorf("%s asks for %.200q", name, asked)
	}
}

func (b *browser) wantsNone(t *testing.T, name string, width int, expression, what string) {
	t.Helper()
	var found []string
	b.evaluate(expression, &found)
	if len(found) > 0 {
		t.Errorf("%s at %d: %q %s", name, width, found[:min(3, len(found))], what)
	}
}

// onPaper compares the letters (of ASCII) and digits of a printed page with those that the
// window shows, and wants each word on the sheet.
func onPaper(t *testing.T, name string, data []byte, shown string) {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := text.Words(c, text.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var letters []rune
	for i, sheet := range printed {
		for _, w := range sheet.Words {
			letters = append(letters, plainLetters(w.Text)...)
			if w.Box.Left < -0.5 || w.Box.Right > sheet.Width+0.5 {
				t.Errorf("%s: %q is not on sheet %d", name, w.Text, i+1)
			}
		}
	}
	want := plainLetters(shown)
	slices.Sort(letters)
	slices.Sort(want)
	// Headers of tables are printed again on each sheet.
	at := 0
	for _, r := range want {
		for at < len(letters) && letters[at] < r {
			at++
		}
		if at == len(letters) || letters[at] != r {
			t.Errorf("%s: %d letters are shown, and %d are printed; %q is missing", name, len(want), len(letters), r)
			return
		}
		at++
	}
}

func plainLetters(s string) []rune {
	var letters []rune
	for _, r := range s {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			letters = append(letters, r)
		}
	}
	return letters
}
