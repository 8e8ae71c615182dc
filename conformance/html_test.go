package conformance_test

import (
	"bytes"
	"flag"
	"fmt"
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

// brokenAccounts finds identifiers of accounts that do not stand on one line.
const brokenAccounts = `[...document.querySelectorAll("[data-path$=accountIdentifier]")].filter(e => {
	const range = document.createRange();
	range.selectNodeContents(e);
	return e.textContent.length < 40 && new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1;
}).map(e => e.textContent)`

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
			b.wantsNone(t, s.name, width, brokenAccounts, "is on two lines")
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

// HTML is a medium of its own: cards on narrow screens with the heads beside the values, tables on
// wide ones, a place for each term, attachments to open, links, and pages with number and title
// on paper.
func TestHTMLMedium(t *testing.T) {
	if *chromium == "" {
		t.Skip("no browser is given with -chromium")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	b := startBrowser(t, *chromium)
	dir := t.TempDir()
	for _, s := range samples {
		if s.name != "attachments" && s.name != "comprehensive" && s.name != "prices" && s.name != "sub-lines" {
			continue
		}
		r, err := page.HTML(t.Context(), s.invoice(t, suites), page.Options{Language: "de"})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, s.name+".html")
		save(t, file, r.Data)
		for width, want := range map[int]string{390: "block flex", 1280: "table-cell"} {
			b.open("file://"+file, width, false)
			var wrong []string
			b.evaluate(`[...document.querySelectorAll(".lines tbody td")].filter(e => e.textContent && !"`+want+`".includes(getComputedStyle(e).display)).map(e => e.textContent)`, &wrong)
			if len(wrong) > 0 {
				t.Errorf("%s at %d: %q are not %s", s.name, width, wrong[:1], want)
			}
			if width == 390 {
				b.evaluate(`[...document.querySelectorAll(".lines tbody td.right")].filter(e => e.textContent && !getComputedStyle(e, "::before").content.includes(e.dataset.label)).map(e => e.textContent)`, &wrong)
				if len(wrong) > 0 {
					t.Errorf("%s: %q have no head beside them", s.name, wrong[:1])
				}
			}
			b.wantsNone(t, s.name, width, `[...document.querySelectorAll("[data-term]")].filter(e => !document.getElementById(e.dataset.term)).map(e => e.dataset.term)`, "has no place")
			b.wantsNone(t, s.name, width, `["BT-1", "BT-115", "BT-131"].filter(id => {
				const e = document.getElementById(id), box = e?.getBoundingClientRect();
				return !box || box.width === 0 || box.right > innerWidth || box.left < 0;
			})`, "is not seen")
			b.wantsNone(t, s.name, width, `[...document.querySelectorAll("*")].filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "auto").map(e => e.tagName)`, "scrolls")
			b.wantsNone(t, s.name, width, `[...document.querySelectorAll("a")].filter(e => !/^(mailto:|tel:|https?:)/.test(e.getAttribute("href")) && !(e.download && e.href.startsWith("data:"))).map(e => e.outerHTML.slice(0, 80))`, "leads elsewhere")
		}
		var files int
		b.evaluate(`document.querySelectorAll("a[download]").length`, &files)
		if s.name == "attachments" && files == 0 {
			t.Error("no attachment can be opened")
		}
		c, err := pdf.Open(b.print(), pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		sheets, err := text.Pages(c)
		if err != nil {
			t.Fatal(err)
		}
		for i, sheet := range sheets {
			if number := fmt.Sprintf("%d / %d", i+1, len(sheets)); !strings.Contains(sheet, number) || !strings.Contains(sheet, "Rechnung") {
				t.Errorf("%s: sheet %d does not say %q and its title", s.name, i+1, number)
			}
		}
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
