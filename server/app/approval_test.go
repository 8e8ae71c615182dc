//go:build browser

package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/keys"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// baseOverlay is an overlay that a folder of rules has from the beginning.
const baseOverlay = "overlay: base\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CO-16], level: warning, reason: ours, until: 2099-12-31}\n"

// trialOverlay lowers a rule that the sample violates. Its comment has a space without a width.
const trialOverlay = "# no\u200bte\noverlay: trial\ntitle: A trial\nowner: us\non: {profiles: [\"*\"]}\nlevels:\n  - {rules: [BR-CL-14], level: warning, reason: agreed, until: 2099-12-31}\n"

// approving opens the page on a service that asks for approval, with the keys of two people.
func approving(t *testing.T, width, height int64) (p *tab, dir, one, other string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlays", "base.yaml"), []byte(baseOverlay), 0o600); err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "keys")
	var both []string
	for _, name := range []string{"one", "other"} {
		key, _, err := keys.Add(keyFile, name, keys.Limits{Operations: []string{"workbench", "rules", "rulesets"}})
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, key)
	}
	p = open(t, func(c *server.Config) {
		c.NoAuth, c.KeysFile, c.RulesetsDir, c.PublishApproval = false, keyFile, dir, true
	}, width, height)
	return p, dir, both[0], both[1]
}

// useKey answers the dialog that asks for a key.
func (p *tab) useKey(key string) {
	p.Helper()
	p.run(chromedp.WaitVisible("dialog input", chromedp.ByQuery), chromedp.SendKeys("dialog input", key+kb.Enter, chromedp.ByQuery))
	p.wait(`!document.querySelector("dialog") && document.querySelectorAll(".settings option").length > 10`)
}

// propose proposes files of rules over HTTP, for today.
func (p *tab) propose(key string, files map[string]string) (proposal string) {
	p.Helper()
	body, err := json.Marshal(map[string]any{"files": files, "who": "Ada", "why": "Agreed with the supplier", "from": time.Now().UTC().Format(time.DateOnly)})
	if err != nil {
		p.Fatal(err)
	}
	request, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.url+"/v1/rules/publish", bytes.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	var made struct{ Proposal, Detail string }
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || answer.StatusCode != http.StatusAccepted {
		p.Fatalf("proposing answers %d: %v: %s", answer.StatusCode, err, made.Detail)
	}
	return made.Proposal
}

// decide types who decides about the first proposal, and why, and presses a button by keyboard.
func (p *tab) decide(who, button string) {
	p.Helper()
	p.run(chromedp.SendKeys(".proposal form label:nth-of-type(1) input", who, chromedp.ByQuery),
		chromedp.SendKeys(".proposal form label:nth-of-type(2) input", "Looked at", chromedp.ByQuery),
		chromedp.Focus(".proposal button[value="+button+"]", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
}

// The second person sees who proposed what, when and from which day on, with the lines that
// change; the first cannot approve; what is approved is in force.
func TestApproval(t *testing.T) {
	p, dir, one, other := approving(t, 1280, 900)
	p.useKey(one)
	proposal := p.propose(one, map[string]string{"overlays/base.yaml": strings.Replace(baseOverlay, "level: warning", "level: information", 1), "overlays/trial.yaml": trialOverlay})
	p.view("rules")
	p.part("publish")
	p.wait(`document.querySelector(".proposal")`)
	said := eval[string](p, `document.querySelector(".proposal").innerText`)
	today := time.Now().UTC().Format(time.DateOnly)
	for _, want := range []string{"Agreed with the supplier", "Ada", "from " + today, "· " + today, proposal[:12], "overlays/trial.yaml (added)", `+ # no\u200Bte`, "Your key made this proposal"} {
		if !strings.Contains(said, want) {
			t.Errorf("the proposal does not say %q: %s", want, said)
		}
	}
	changed := eval[[]string](p, `[...document.querySelectorAll('.diff[aria-label="overlays/base.yaml"] :is(del, ins)')].map((e) => e.textContent)`)
	if want := []string{"-   - {rules: [BR-CO-16], level: warning, reason: ours, until: 2099-12-31}", "+   - {rules: [BR-CO-16], level: information, reason: ours, until: 2099-12-31}"}; fmt.Sprint(changed) != fmt.Sprint(want) {
		t.Errorf("the changed lines are %q", changed)
	}

	p.decide("Ada", "approve")
	p.wait(`document.querySelector(".proposal [role=alert]").textContent.includes("Another key that names the operation rules has to approve it.")`)
	if _, err := os.Stat(filepath.Join(dir, "overlays", "trial.yaml")); !os.IsNotExist(err) {
		t.Errorf("one key alone published: %v", err)
	}
	p.click(".proposal [role=alert] button")
	p.useKey(other)
	p.wait(`document.querySelector(".proposal button[value=reject]")?.textContent === "Reject" && document.querySelector(".proposal input").value === ""`)
	p.decide("Bo", "approve")
	p.wait(`!document.querySelector(".proposal") && document.querySelector(".version")?.textContent.includes("approved by Bo") && document.querySelector(".note").textContent.includes("version 1")`)
	p.wait(`document.activeElement.matches(".versions")`)
	p.view("check")
	p.click("#sample")
	p.wait(`[...document.querySelectorAll(".finding.warning .rule-id")].some((id) => id.textContent === "BR-CL-14")`)
	p.quiet()
}

// A proposal whose file somebody changed on the server can be rejected and nothing else, and hides
// no other.
func TestChangedProposal(t *testing.T) {
	p, dir, one, other := approving(t, 1280, 900)
	changed := p.propose(one, map[string]string{"overlays/trial.yaml": trialOverlay})
	p.propose(one, map[string]string{"overlays/base.yaml": strings.Replace(baseOverlay, "level: warning", "level: information", 1)})
	file := filepath.Join(dir, ".published", "proposed", changed+".json")
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.useKey(other)
	p.view("rules")
	p.part("publish")
	p.wait(`document.querySelectorAll(".proposal").length === 2`)
	p.wait(`document.querySelector(".proposal").textContent.includes("changed the file of this proposal on the server") && !document.querySelector(".proposal").querySelector("button[value=approve]")`)
	p.decide("Bo", "reject")
	p.wait(`document.querySelectorAll(".proposal").length === 1 && document.querySelector(".proposal button[value=approve]")`)
	p.quiet()
}

// Publishing in the page says that another key has to approve, and shows the proposal, which
// the key that made it can take back.
func TestApprovalOfWhatThePagePublishes(t *testing.T) {
	p, dir, one, _ := approving(t, 1280, 900)
	p.useKey(one)
	p.view("rules")
	p.part("draft")
	h := &hand{tab: p}
	h.write(`.lower input[list]`, "BR-CL-14")
	for i, text := range []string{"DE123456789", "They mend it in January", "Purchasing", "2099-12-31"} {
		h.write(fmt.Sprintf(`.lower > label:nth-of-type(%d) input`, i+3), text)
	}
	h.press("#write-overlay")
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	p.part("publish")
	h.write(`.lower > label:nth-of-type(1) input`, "Ada")
	h.write(`.lower > label:nth-of-type(2) input`, "Agreed")
	h.press("#publish-now")
	p.wait(`document.querySelector(".note")?.textContent.includes("when another key approves it") && document.querySelector(".proposal .diff")?.textContent.includes("BR-CL-14")`)
	p.decide("Ada", "reject")
	p.wait(`!document.querySelector(".proposal") && document.querySelector(".note").textContent.includes("was removed")`)
	if files, err := filepath.Glob(filepath.Join(dir, ".published", "proposed", "*.json")); err != nil || len(files) > 0 {
		t.Errorf("the proposal is still there: %q %v", files, err)
	}
	p.quiet()
}

// A proposal is without barriers, fits narrow windows and large letters, and is in each language.
func TestApprovalForEveryone(t *testing.T) {
	p, _, one, _ := approving(t, 1280, 900)
	p.useKey(one)
	p.propose(one, map[string]string{"overlays/base.yaml": strings.Replace(baseOverlay, "level: warning", "level: information", 1)})
	p.propose(one, map[string]string{"overlays/base.yaml": strings.Replace(baseOverlay, "ours,", "other,", 1), "overlays/trial.yaml": trialOverlay})
	sentence := regexp.MustCompile(english)
	for _, language := range []string{"en", "de", "fr"} {
		p.anew("#rules?language=" + language)
		p.useKey(one)
		p.part("publish")
		p.wait(`document.querySelectorAll(".proposal").length === 2`)
		p.decide("Ada", "approve")
		p.wait(`document.querySelector(".proposal [role=alert] button")`)
		for _, width := range []int64{360, 640, 1280} {
			p.run(emulation.SetDeviceMetricsOverride(width, 900, 1, width < 600))
			if wide := eval[int](p, `document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth`); wide > 0 {
				t.Errorf("%s: %d px wider than a window of %d px", language, wide, width)
			}
			if language != "en" {
				continue
			}
			for _, theme := range []string{"light", "dark"} {
				p.run(themed(theme))
				p.barriers(fmt.Sprintf("proposals, %d px, %s", width, theme))
			}
		}
		if language == "en" {
			continue
		}
		for _, text := range eval[[]string](p, said) {
			if word := sentence.FindString(text); word != "" {
				t.Errorf("%s: %q is English", language, text)
			}
		}
	}
	p.quiet()
}
