//go:build browser

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A hand counts what a person does.
type hand struct {
	*tab
	clicks int
}

func (h *hand) press(selector string) {
	h.Helper()
	h.run(chromedp.ScrollIntoView(selector, chromedp.ByQuery, chromedp.NodeVisible)) // a link to a view that is there already shows it only after an event
	h.click(selector)
	h.clicks++
}

// write clicks into a field and types.
func (h *hand) write(selector, text string) {
	h.Helper()
	h.press(selector)
	h.run(chromedp.SetValue(selector, text, chromedp.ByQuery), chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new Event("input", {bubbles: true}))`, selector), nil))
}

func (h *hand) done(task string, most int) {
	h.Helper()
	h.Logf("%s: %d clicks", task, h.clicks)
	if h.clicks > most {
		h.Errorf("%s takes %d clicks, docs/workbench.md says %d", task, h.clicks, most)
	}
	h.clicks = 0
}

// Five tasks, with the clicks that they take.
func TestTasks(t *testing.T) {
	rules := t.TempDir()
	if err := os.MkdirAll(filepath.Join(rules, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	base := "overlay: base\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CO-16], level: warning, reason: ours, until: 2099-12-31}\n"
	if err := os.WriteFile(filepath.Join(rules, "overlays", "base.yaml"), []byte(base), 0o600); err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "keys")
	key, _, err := keys.Add(keyFile, "rules desk", keys.Limits{Operations: []string{"workbench", "rules", "rulesets"}})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, func(c *server.Config) {
		c.NoAuth, c.KeysFile, c.RulesetsDir, c.Archive = false, keyFile, rules, archive(t)
	}, 1280, 900)
	p.run(chromedp.WaitVisible("dialog input", chromedp.ByQuery), chromedp.SendKeys("dialog input", key+kb.Enter, chromedp.ByQuery))
	p.wait(`document.querySelectorAll(".settings option").length > 10`)
	h := &hand{tab: p}

	h.press("#sample")
	h.wait(`document.querySelectorAll(".finding").length === 5 && document.querySelector("rule-card .card-id")`)
	h.done("find why an invoice is refused", 1)

	h.wait(`document.querySelector("#apply-all")`)
	h.press("#apply-all")
	h.wait(`document.querySelectorAll(".changes li").length === 3`)
	h.press(`[data-pane=fields][role=tab]`)
	for path, value := range map[string]string{"buyer.name": "Northwind", "buyer.vatIdentifier": "DE987654321"} {
		field := fmt.Sprintf(`.field[data-path="%s"] input`, path)
		h.press(field)
		h.run(chromedp.SetValue(field, value, chromedp.ByQuery), chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new Event("change"))`, field), nil))
		h.wait(fmt.Sprintf(`document.querySelector("check-view text-editor").text.includes(%q)`, value))
	}
	h.wait(`document.querySelector(".badge.valid")`)
	h.done("mend it", 4)

	h.press(`[data-view=rules]`)
	h.press(`[data-part=draft]`)
	h.write(`.lower input[list]`, "BR-CL-14")
	for i, text := range []string{"DE123456789", "They mend it in January", "Purchasing", "2099-12-31"} {
		h.write(fmt.Sprintf(`.lower > label:nth-of-type(%d) input`, i+3), text)
	}
	h.press("#write-overlay")
	h.wait(`document.querySelector(".draft-results .chip.good")`)
	h.done("lower a rule for one supplier", 8)

	h.press(`[data-view=impact]`)
	h.press("#server-archive")
	h.wait(`document.querySelectorAll(".change").length === 3`)
	if got := eval[string](p, `document.querySelector(".change").textContent`); !strings.Contains(got, "BR-CL-14") {
		t.Errorf("the impact says %q", got)
	}
	h.done("see the impact", 2)

	h.press(`[data-view=rules]`)
	h.press(`[data-part=publish]`)
	h.write(`.lower > label:nth-of-type(1) input`, "Ada")
	h.write(`.lower > label:nth-of-type(2) input`, "Agreed with the supplier")
	h.press("#publish-now")
	h.wait(`document.querySelector(".version .chip.good")`)
	if _, err := os.Stat(filepath.Join(rules, "overlays", "lower-br-cl-14.yaml")); err != nil {
		t.Error(err)
	}
	p.view("check")
	p.run(chromedp.Evaluate(`document.querySelector(".bar-actions > button").click()`, nil))
	p.run(chromedp.WaitVisible("dialog .primary", chromedp.ByQuery))
	p.click("dialog .primary")
	p.run(chromedp.WaitVisible("#sample", chromedp.ByQuery))
	p.click("#sample")
	p.wait(`[...document.querySelectorAll(".finding.warning .rule-id")].some((id) => id.textContent === "BR-CL-14")`)
	p.view("rules")
	p.wait(`document.querySelector(".version button")`)
	h.press(".version button")
	h.wait(`document.querySelectorAll(".version").length === 2`)
	if _, err := os.Stat(filepath.Join(rules, "overlays", "lower-br-cl-14.yaml")); !os.IsNotExist(err) {
		t.Errorf("the overlay is still there: %v", err)
	}
	h.done("publish and roll back", 6)
	p.quiet()
}
