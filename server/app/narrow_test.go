//go:build browser

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/workbench"

	"github.com/chromedp/chromedp"
)

// cutHints are the texts in empty inputs that are longer than their input.
const cutHints = `(() => {
	const pen = document.createElement("canvas").getContext("2d");
	return [...document.querySelectorAll("input[placeholder]")].filter((input) => input.checkVisibility()).filter((input) => {
		const style = getComputedStyle(input);
		pen.font = style.font;
		return pen.measureText(input.placeholder).width > input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
	}).map((input) => input.placeholder);
})()`

// On a telephone, in each language: what search boxes say is not cut, a message covers nothing of
// the view and goes with it, the card says why a file cannot be read, and the values read off a page
// stay in the window beside it.
func TestTelephone(t *testing.T) {
	p := open(t, everything(t), 360, 740)
	for _, language := range []string{"en", "de", "fr"} {
		whole := func(view string) {
			t.Helper()
			if cut := eval[[]string](p, cutHints); len(cut) > 0 {
				t.Errorf("%s, %s: %q is cut", language, view, cut)
			}
		}
		p.anew("#check?language=" + language)
		p.sample()
		whole("findings")
		p.run(chromedp.Evaluate(`document.querySelector("[data-pane=fields][role=tab]").click()`, nil))
		p.wait(`document.querySelector(".field")`)
		whole("fields")
		p.run(chromedp.Evaluate(`document.querySelector("[data-pane=card][role=tab]").click()`, nil))
		p.wait(`document.querySelector("check-view rule-card .card-id")`) // of the first finding
		p.drop(map[string]string{"a.json": `{"invoice": {"nummer": "1"}}`, "c.txt": ""})
		p.wait(`document.querySelector(".note:not([hidden])") && document.querySelector("check-view rule-card .card-id")?.textContent === "JSON"`)
		if over := eval[float64](p, `document.querySelector("main").getBoundingClientRect().bottom - document.querySelector(".note").getBoundingClientRect().top`); over > 0.5 {
			t.Errorf("%s: the message covers %v px of the view", language, over)
		}
		p.view("rules")
		p.wait(`document.querySelector(".note").hidden && document.querySelectorAll(".rule-row").length > 50`)
		whole("rules")
		p.view("parse")
		p.dropExample("invoice.pdf")
		p.wait(`document.querySelector(".found")`)
		if seen := eval[int](p, `(() => {
			const list = document.querySelector(".value-list").getBoundingClientRect();
			return [...document.querySelectorAll(".value-row")].filter((row) => { const at = row.getBoundingClientRect(); return at.top >= list.top - 1 && at.bottom <= Math.min(list.bottom, innerHeight) + 1; }).length;
		})()`); seen < 2 {
			t.Errorf("%s: %d values are seen beside the page", language, seen)
		}
		p.run(chromedp.Evaluate(`[...document.querySelectorAll("parse-view .bar-actions button")].at(-1).click()`, nil))
	}
	p.quiet()
}

// A service without a folder of rules has no form to publish with, and says what it needs; one that has it does.
func TestPublishSaysWhatItNeeds(t *testing.T) {
	rules := t.TempDir()
	if err := os.Mkdir(filepath.Join(rules, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rules, "overlays", "mine.yaml"), []byte("overlay: mine\ntitle: Mine\nowner: Me\non: {profiles: [\"*\"]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", rules} {
		p := open(t, func(c *server.Config) { c.RulesetsDir = dir }, 1280, 900)
		p.view("rules")
		p.part("publish")
		if dir == "" {
			p.wait(`document.querySelector(".rules-body .empty")?.textContent.includes("--rulesets")`)
		} else {
			p.wait(`document.querySelector(".versions")?.textContent`)
		}
		if has := eval[bool](p, `document.querySelector("#publish-now") !== null`); has != (dir != "") {
			t.Errorf("with the folder %q the form is there: %v", dir, has)
		}
		p.quiet()
	}
}

// Each term beside an expression is one that can be evaluated: a click takes it into the expression,
// and the value is that of the document. For XPath the source stands there.
func TestTermsForExpressions(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.sample()
	p.view("rules")
	p.part("tryOut")
	p.wait(`document.querySelectorAll(".rules-body .rule-row").length > 20`)
	rows := eval[int](p, `document.querySelectorAll(".rules-body .rule-row").length`)
	for i := range rows {
		value := eval[string](p, fmt.Sprintf(`(() => { document.querySelector(".outcome").replaceChildren(); const row = document.querySelectorAll(".rules-body .rule-row")[%d]; row.click(); return row.querySelector(".rule-text").textContent; })()`, i))
		p.wait(`document.querySelector(".outcome .values pre, .outcome .bad")`)
		if got := eval[string](p, `document.querySelector(".outcome pre")?.textContent ?? document.querySelector(".outcome").innerText`); !strings.Contains(value, got) && !strings.Contains(got, value) {
			t.Errorf("term %d, %q, comes to %q", i, value, got)
		}
	}
	p.run(chromedp.Evaluate(`(() => { const kind = document.querySelector(".rules-body .tools select"); kind.value = "xpath"; kind.dispatchEvent(new Event("change")); })()`, nil))
	p.wait(`document.querySelector(".material")?.textContent.includes("<cbc:")`)
	p.quiet()
}

// On a telephone, in each language, nothing lies over what somebody needs: menus end within the window,
// an expression leaves its result to be seen, what is chosen can be read, a tick stands beside its words,
// and who drops several files sees the list of them.
func TestNothingIsCovered(t *testing.T) {
	p := open(t, nil, 360, 740)
	for _, language := range []string{"en", "de", "fr"} {
		p.anew("#check?language=" + language)
		p.sample()
		for _, menu := range []string{"check-view .menu", ".settings"} {
			box := fmt.Sprintf(`document.querySelector("%s .menu-box").getBoundingClientRect()`, menu)
			p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelector("%s").open = true`, menu), nil))
			p.wait(box + `.height > 100`)
			if out := eval[float64](p, fmt.Sprintf(`Math.max(%[1]s.bottom - innerHeight, -%[1]s.top, %[1]s.right - innerWidth, -%[1]s.left)`, box)); out > 0 {
				t.Errorf("%s: %s is %v px out of the window", language, menu, out)
			}
			p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelector("%s").open = false`, menu), nil))
		}
		p.view("rules")
		p.part("tryOut")
		p.wait(`document.querySelector(".values li")`)
		if over := eval[float64](p, `document.querySelector(".expression text-editor").getBoundingClientRect().bottom - document.querySelector(".outcome").getBoundingClientRect().top`); over > 0.5 {
			t.Errorf("%s: the expression covers %v px of its result", language, over)
		}
		p.part("draft")
		p.run(chromedp.Evaluate(`document.querySelector("#open-example").click()`, nil))
		p.wait(`document.querySelector(".draft-results .chip.good")`)
		if width := eval[float64](p, `document.querySelector(".column.wide > .tools select").offsetWidth`); width < 120 {
			t.Errorf("%s: the name of a file has %v px", language, width)
		}
		if width := eval[float64](p, `document.querySelector(".column.wide > .tools .tick input").offsetWidth`); width > 24 {
			t.Errorf("%s: a tick has %v px", language, width)
		}
		p.view("check")
		p.run(chromedp.Evaluate(`document.querySelector("[data-pane=card][role=tab]").click()`, nil))
		p.drop(map[string]string{"a.xml": string(workbench.Sample), "b.xml": "<broken"})
		p.wait(`document.querySelectorAll(".file").length === 2 && !document.querySelector(".file .dot.waiting")`)
		if !eval[bool](p, `document.querySelector(".file").checkVisibility()`) {
			t.Errorf("%s: the list of files is not to be seen", language)
		}
	}
	p.quiet()
}
