//go:build browser

package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
)

// english are words that every English sentence has one of, and German and French have not.
const english = `(^|\s)(the|and|with|of|is|are|not|which|from|for|be|has|have|to|by)([\s.,;:?]|$)`

// said collects what a page says that is not taken from a document: its texts and the names
// that only screen readers tell. A rule of a country is in the languages of the country; where
// it stays in English, the page marks its text as English.
const said = `(() => {
	const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const visible = (e) => e && e.checkVisibility() && !e.closest("bdi, cite, code, pre, option[value=en], [lang=en], textarea, .where, .bar-name, .change-head, .file, .examples, .lower");
	for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim() && visible(node.parentElement)) found.push(node.data.trim());
	for (const e of document.querySelectorAll("[aria-label], [title], [placeholder]")) if (e.checkVisibility() && !e.closest("bdi, .word, .bars, meter, .change")) for (const name of ["aria-label", "title", "placeholder"]) if (e.getAttribute(name) && e.tagName !== "TEXTAREA") found.push(e.getAttribute(name));
	return found;
})()`

// In German and French nothing of the page is English, in any state.
func TestNoEnglishLeft(t *testing.T) {
	source, err := os.ReadFile("src/words.ts")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, everything(t), 1720, 1000)
	sentence := regexp.MustCompile(english)
	for _, language := range []string{"de", "fr"} {
		labels := labelsIn(t, string(source), language)
		seen := map[string]bool{}
		p.walk(language, func(view string) {
			for _, text := range eval[[]string](p, said) {
				if seen[text] {
					continue
				}
				seen[text] = true
				if word := sentence.FindString(text); word != "" || labels[text] {
					t.Errorf("%s, %s: %.200q is English", language, view, text)
				}
			}
		})
		if len(seen) < 300 {
			t.Errorf("only %d texts were seen in %s", len(seen), language)
		}
	}
}

// labelsIn are the English texts of the page that the language has another word for, and that
// it has not for anything itself.
func labelsIn(t *testing.T, source, language string) map[string]bool {
	t.Helper()
	texts := func(tag string) map[string]string {
		_, body, _ := strings.Cut(source, "const "+tag)
		body, _, _ = strings.Cut(body, "\n};")
		found := map[string]string{}
		for _, m := range regexp.MustCompile(`(\w+): ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(body, -1) {
			var text string
			if err := json.Unmarshal([]byte(m[2]), &text); err != nil {
				t.Fatal(err)
			}
			found[m[1]] = text
		}
		return found
	}
	own, english := texts(language), texts("en")
	if len(own) != len(english) || len(own) < 100 {
		t.Fatalf("%d words of the page in %s, %d in English", len(own), language, len(english))
	}
	has := map[string]bool{}
	for _, text := range own {
		has[text] = true
	}
	labels := map[string]bool{}
	for _, text := range english {
		labels[text] = !has[text]
	}
	return labels
}

// A window of 1280 × 1024 px at 200 and at 400 % shows every view without barriers and without
// scrolling sideways.
func TestZoom(t *testing.T) {
	for _, times := range []int64{2, 4} {
		p := open(t, everything(t), 1280/times, 1024/times)
		p.walk("de", func(view string) {
			p.barriers(fmt.Sprintf("%s at %d00 %%", view, times))
			if wide := eval[int](p, `document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth`); wide > 0 {
				t.Errorf("%s at %d00 %% is %d px wider than the window", view, times, wide)
			}
		})
	}
}

// Letters of twice the size, as a browser is set to them, are so in the page; its head leaves half
// of the window to the document, and no view is wider than the window.
func TestLargeLetters(t *testing.T) {
	p := openWith(t, everything(t), 1280, 900, network.SetBlockedURLs([]string{"*einvoice.wasm"}), cdppage.SetFontSizes(&cdppage.FontSizes{Standard: 32, Fixed: 26}))
	if size := eval[string](p, `getComputedStyle(document.documentElement).fontSize`); size != "30px" {
		t.Errorf("letters have %s", size)
	}
	p.sample()
	if top := eval[float64](p, `document.querySelector(".panes").getBoundingClientRect().top + document.scrollingElement.scrollTop`); top > 450 {
		t.Errorf("the document begins at %.0f of 900 px", top)
	}
	p.walk("de", func(view string) {
		if wide := eval[int](p, `document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth`); wide > 0 {
			t.Errorf("%s is %d px wider than the window", view, wide)
		}
	})
	p.quiet()
}

// The menu that exports has one button that stands out, and the group of findings has a name.
func TestOneLeadingButton(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.sample()
	p.click("check-view .menu summary")
	p.wait(`document.querySelector(".menu-item")`)
	if leading := eval[[]string](p, `[...document.querySelectorAll(".menu-box .primary")].map((b) => b.textContent)`); len(leading) != 1 || leading[0] != "XRechnung" {
		t.Errorf("%q stand out", leading)
	}
	if named := eval[string](p, `document.querySelector(".pane-findings .labelled").innerText`); !strings.HasPrefix(named, "Group by") {
		t.Errorf("the choice of groups is %q", named)
	}
	p.quiet()
}
