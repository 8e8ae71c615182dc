//go:build browser

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/workbench"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// draftEditor is the editor of a draft.
const draftEditor = `document.querySelector("rules-view .column.wide text-editor")`

// TestShots makes pictures of every view in three widths, light and dark, and with letters of 200
// and 400 %, for people to look at.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no folder was named (-shots), so no pictures were made")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	p := open(t, everything(t), 1280, 800)
	for _, size := range []struct {
		width, height, letters int64 // letters in percent
		languages              []string
	}{{1280, 800, 200, []string{"en", "de"}}, {1280, 800, 400, []string{"en", "de"}}, {360, 740, 100, []string{"en", "de", "fr"}}, {1280, 800, 100, []string{"en", "de", "fr"}}, {3840, 2160, 100, []string{"en"}}} {
		p.run(cdppage.SetFontSizes(&cdppage.FontSizes{Standard: 16 * size.letters / 100, Fixed: 13 * size.letters / 100}))
		for i, theme := range slices.Repeat([]string{"light", "dark"}, len(size.languages)) {
			language := size.languages[i/2]
			if theme == "dark" && (language != "en" || size.letters > 100) {
				continue // colours do not depend on the language or the size
			}
			p.run(emulation.SetDeviceMetricsOverride(size.width, size.height, 1, size.width < 600),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
			p.walk(language, func(view string) {
				var picture []byte
				p.run(chromedp.CaptureScreenshot(&picture))
				name := fmt.Sprintf("%s-%d-%d-%s-%s.png", view, size.width, size.letters, theme, language)
				if err := os.WriteFile(filepath.Join(*shots, name), picture, 0o600); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	p.quiet()
}

// everything is a server that has all that views can show.
func everything(t testing.TB) func(*server.Config) {
	sources := t.TempDir()
	if err := os.Rename(archive(t), filepath.Join(sources, "invoices")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sources, "invoices", "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) {
		c.Archive, c.BulkSources, c.BulkResults = archive(t), sources, t.TempDir()
	}
}

// walk shows view after view in a language, and tells each.
func (p *tab) walk(language string, see func(view string)) {
	p.anew("#check?language=" + language)
	see("start")
	p.sample()
	see("check-findings")
	p.run(chromedp.Evaluate(`document.querySelectorAll(".finding")[4].click()`, nil))
	p.wait(`document.querySelector("rule-card .parts")`)
	for _, pane := range []string{"source", "page", "fields", "card"} {
		p.run(chromedp.Evaluate(`document.querySelector("[data-pane=`+pane+`][role=tab]").click()`, nil))
		p.wait(`!document.querySelector("invoice-page").checkVisibility() || ` + page + `.querySelector("[data-path]")`)
		see("check-" + pane)
	}
	p.run(chromedp.Evaluate(`document.querySelector("check-view .menu").open = true`, nil))
	p.wait(`document.querySelector(".menu-item")`)
	see("check-make")
	p.run(clickLast(`.menu-row:first-of-type .menu-item`))
	p.wait(`document.querySelector(".told li")`)
	see("check-refused")
	p.run(chromedp.KeyEvent(kb.Escape), chromedp.Evaluate(`document.querySelector("[data-pane=findings][role=tab]").click(); document.querySelector(".decided").open = true; document.querySelector(".decided").scrollIntoView()`, nil))
	p.wait(`!document.querySelector("dialog")`)
	see("check-decided")
	p.run(chromedp.Evaluate(`document.querySelector(".settings").open = true`, nil))
	see("settings")
	p.run(chromedp.Evaluate(`document.querySelector(".settings").open = false`, nil))
	p.drop(map[string]string{"b.xml": "<broken", "c.txt": "", "a.json": `{"invoice": {"nummer": "1"}}`})
	p.wait(`document.querySelectorAll(".file").length === 2 && document.querySelectorAll(".file .dot.unread").length === 2 && document.querySelector(".trouble") && document.querySelector(".note:not([hidden])")`)
	see("check-files")
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".file")].find((f) => f.textContent.includes("a.json")).click()`, nil))
	p.wait(`document.querySelectorAll(".finding").length > 0`)
	see("check-json")
	p.sampleAgain()
	p.view("rules")
	p.wait(`document.querySelectorAll(".rule-row").length > 50`)
	p.run(chromedp.Evaluate(`document.querySelectorAll(".rule-row")[9].click()`, nil))
	p.wait(`document.querySelector("rules-view rule-card .card-id")`)
	see("rules-browse")
	p.part("draft")
	see("rules-draft-empty")
	p.run(chromedp.Evaluate(`document.querySelector("#open-example").click()`, nil)) // a message may be above it
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	see("rules-draft")
	p.run(chromedp.Evaluate(draftEditor+`.replace([{from: 0, to: 7, text: "rulset"}])`, nil))
	p.wait(`document.querySelector(".draft-results .bad")`)
	see("rules-draft-mistake")
	p.run(chromedp.Evaluate(draftEditor+`.undo()`, nil))
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	p.part("tryOut")
	p.wait(`document.querySelector(".values li")`)
	see("rules-try")
	p.run(chromedp.Evaluate(`document.querySelector(".expression text-editor").replace([{from: 0, to: 4, text: "ths"}])`, nil))
	p.wait(`document.querySelector(".outcome .bad")`)
	see("rules-try-mistake")
	p.part("publish")
	p.wait(`document.querySelector(".versions, .rules-body .empty")?.textContent.includes("--rulesets")`)
	see("rules-publish")
	p.view("parse")
	see("parse-start")
	p.dropExample("invoice.pdf")
	p.wait(`document.querySelector(".found")`)
	see("parse")
	p.view("impact")
	p.wait(`document.querySelector("impact-view h1")`)
	see("impact-start")
	p.click("#server-archive")
	p.wait(`document.querySelectorAll(".change").length === 3 && !document.querySelector("progress")`)
	see("impact-result")
	p.view("jobs")
	p.wait(`document.querySelector("#begin-job")`)
	see("jobs-start")
	p.click("#begin-job")
	p.wait(`document.querySelector('.job[data-state="complete"]')`)
	p.run(chromedp.Evaluate(`document.querySelector('[data-act^="report"]').click()`, nil))
	p.wait(`document.querySelector(".job .bar-row")`)
	see("jobs")
}

// sample opens the sample and waits for all that is said of it.
func (p *tab) sample() {
	p.Helper()
	p.click("#sample")
	p.wait(`document.querySelectorAll(".finding").length === 5 && document.querySelectorAll(".remedy").length === 3 && (!document.querySelector("invoice-page").checkVisibility() || document.querySelector("invoice-page").shadowRoot.querySelector(".fault"))`)
}

// sampleAgain opens the sample from any document.
func (p *tab) sampleAgain() {
	p.Helper()
	p.run(chromedp.Evaluate(`document.querySelector(".bar-actions > button").click()`, nil), chromedp.WaitVisible("#sample", chromedp.ByQuery))
	p.sample()
}

// view turns to a view.
func (p *tab) view(name string) {
	p.Helper()
	p.run(chromedp.Evaluate(`document.querySelector("[data-view=`+name+`]").click()`, nil))
	p.wait(`document.querySelector("` + name + `-view")?.hidden === false`)
}

// part turns to a part of the view of rules.
func (p *tab) part(name string) {
	p.Helper()
	p.run(chromedp.Evaluate(`document.querySelector("[data-part=`+name+`]").click()`, nil))
}

// archive is a folder of invoices of two sellers and two months, one of them no invoice.
func archive(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	sample := string(workbench.Sample)
	for name, text := range map[string]string{
		"2026/a.xml": sample, "2026/b.xml": strings.ReplaceAll(sample, "2026-11-20", "2026-10-05"),
		"2026/c.xml": strings.ReplaceAll(sample, "Hafenrad Bicycles Ltd", "Other Seller SA"), "none.xml": "<none/>",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// dropExample drops a file that the service has as an example.
func (p *tab) dropExample(name string) {
	p.Helper()
	p.run(chromedp.Evaluate(fmt.Sprintf(`fetch("/docs/examples/%[1]s").then((answer) => answer.blob()).then((blob) => {
		const data = new DataTransfer();
		data.items.add(new File([blob], "%[1]s"));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	})`, name), nil))
}
