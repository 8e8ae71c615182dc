//go:build browser

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// withOverlay opens the page with a document and a draft of an overlay that lowers a rule.
func withOverlay(t *testing.T, change func(*server.Config)) *tab {
	t.Helper()
	p := open(t, change, 1280, 900)
	p.sample()
	p.view("rules")
	p.part("draft")
	p.run(chromedp.Evaluate(`(() => {
		const values = ["BR-CO-09", "DE123456789", "a trial", "us", "2099-12-31"];
		document.querySelectorAll(".lower input").forEach((input, i) => { input.value = values[i]; input.dispatchEvent(new Event("input")); });
		document.querySelector("#write-overlay").click();
	})()`, nil))
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	return p
}

// The form lowers a rule in every ruleset that has it, so that it is lowered on the document
// that it was begun on.
func TestLoweredWhereItIsDecided(t *testing.T) {
	p := withOverlay(t, nil)
	if text := eval[string](p, draftEditor+`.text`); !strings.Contains(text, `on: {rulesets: ["en16931", "facturx-core", "fr-ctc-extended"]}`) {
		t.Errorf("the overlay is %s", text)
	}
	p.view("check")
	p.wait(`[...document.querySelectorAll(".finding.warning .rule-id")].some((id) => id.textContent === "BR-CO-09") && document.querySelector(".with-draft")`)
	p.quiet()
}

// A draft begins with a new file, with files of this computer or with those in force.
func TestDraftFiles(t *testing.T) {
	rules := t.TempDir()
	if err := os.MkdirAll(filepath.Join(rules, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	base := "overlay: base\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CO-16], level: warning, reason: ours, until: 2099-12-31}\n"
	mine := filepath.Join(t.TempDir(), "any.yaml")
	for file, text := range map[string]string{filepath.Join(rules, "overlays", "base.yaml"): base, mine: strings.Replace(base, "base", "mine", 1)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, func(c *server.Config) { c.RulesetsDir = rules }, 1280, 900)
	p.view("rules")
	p.part("draft")
	p.click("#files-in-force")
	p.run(chromedp.WaitVisible("dialog select", chromedp.ByQuery), chromedp.Click("dialog .primary", chromedp.ByQuery))
	p.wait(draftEditor + `?.text.startsWith("overlay: base")`)
	p.run(chromedp.SetUploadFiles(`rules-view input[type=file]`, []string{mine}, chromedp.ByQuery))
	p.wait(draftEditor + `.text.startsWith("overlay: mine")`)
	p.click("#new-file")
	p.run(chromedp.WaitVisible("dialog input", chromedp.ByQuery), chromedp.SetValue("dialog input", "company/1/orders.yaml", chromedp.ByQuery), chromedp.SendKeys("dialog input", kb.Enter, chromedp.ByQuery))
	p.wait(draftEditor + `.text.startsWith("ruleset: company\nversion: 1\n")`)
	if got := eval[[]string](p, `[...document.querySelectorAll(".column.wide .tools select option")].map((o) => o.value)`); strings.Join(got, " ") != "company/1/orders.yaml overlays/base.yaml overlays/mine.yaml" {
		t.Errorf("the draft has %q", got)
	}
	p.quiet()
}

// A draft that was kept does not apply after a reload: the page says so, and has it apply by one key.
// It can be published without a look at the editor.
func TestKeptDraftIsOffered(t *testing.T) {
	rules := t.TempDir()
	if err := os.MkdirAll(filepath.Join(rules, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rules, "overlays", "base.yaml"), []byte(baseOverlay), 0o600); err != nil {
		t.Fatal(err)
	}
	p := withOverlay(t, func(c *server.Config) { c.RulesetsDir = rules })
	p.view("check")
	p.wait(`document.querySelector(".with-draft")`)
	if eval[string](p, `document.querySelector(".offer").textContent`) != "" {
		t.Error("a draft that applies is offered")
	}
	for _, use := range []bool{false, true} {
		p.run(chromedp.Sleep(settle))
		p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/app"), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
		p.wait(`document.querySelector(".offer[role=status]").textContent.includes("overlays/") && document.querySelectorAll(".finding").length === 5 && !document.querySelector(".with-draft")`)
		button := map[bool]string{false: "#use-draft + button", true: "#use-draft"}[use]
		p.run(chromedp.Focus(button, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
		p.wait(fmt.Sprintf(`!document.querySelector(".offer").firstChild && document.activeElement !== document.body && !!document.querySelector(".with-draft") === %v`, use))
	}
	p.wait(`[...document.querySelectorAll(".finding.warning .rule-id")].some((id) => id.textContent === "BR-CO-09")`)
	p.view("rules")
	p.part("publish")
	p.wait(`document.querySelectorAll(".conditions .chip.good").length === 3 && !document.querySelector("#publish-now").disabled`)
	p.quiet()
}

// What is written into a draft while the server publishes it stays there, and nothing is published twice.
func TestDraftIsWrittenWhileItIsPublished(t *testing.T) {
	p, dir, one, _ := approving(t, 1280, 900)
	p.useKey(one)
	p.view("rules")
	p.part("draft")
	lower := func(rule string) {
		h := &hand{tab: p}
		h.write(`.lower input[list]`, rule)
		for i, text := range []string{"DE123456789", "They mend it in January", "Purchasing", "2099-12-31"} {
			h.write(fmt.Sprintf(`.lower > label:nth-of-type(%d) input`, i+3), text)
		}
		h.press("#write-overlay")
		p.wait(fmt.Sprintf(`document.querySelector(".draft-results .chip.good") && %s.text.includes(%q)`, draftEditor, rule))
	}
	lower("BR-CL-14")
	p.part("publish")
	h := &hand{tab: p}
	h.write(`.lower > label:nth-of-type(1) input`, "Ada")
	h.write(`.lower > label:nth-of-type(2) input`, "Agreed")
	p.run(chromedp.Evaluate(`(() => {
		const ask = window.fetch;
		window.asked = 0;
		window.fetch = async (...args) => {
			const answer = await ask(...args);
			if (String(args[0]).endsWith("/rules/publish")) { window.asked++; await new Promise((go) => { window.go = go; }); }
			return answer;
		};
	})()`, nil))
	h.press("#publish-now")
	p.wait(`window.go`)
	if !eval[bool](p, `document.querySelector("#publish-now").disabled`) {
		t.Error("what is being published can be published again")
	}
	p.part("draft")
	lower("BR-CO-09")
	p.run(chromedp.Evaluate(`window.go()`, nil))
	p.wait(`document.querySelector(".note")?.textContent.includes("when another key approves it")`)
	p.part("publish")
	p.part("draft")
	if got := eval[[]string](p, `[...document.querySelectorAll(".column.wide .tools select option")].map((o) => o.value)`); strings.Join(got, " ") != "overlays/lower-br-co-09.yaml" {
		t.Errorf("the draft has %q", got)
	}
	if files, err := filepath.Glob(filepath.Join(dir, ".published", "proposed", "*.json")); err != nil || len(files) != 1 || eval[int](p, `window.asked`) != 1 {
		t.Errorf("proposed are %q %v", files, err)
	}
	p.quiet()
}
