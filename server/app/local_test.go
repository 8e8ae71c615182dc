//go:build browser

package app_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/service/workbench"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// timeToVerdict clicks the sample as soon as it is there, and notes when its verdict is shown.
const timeToVerdict = `addEventListener("DOMContentLoaded", () => {
	const look = () => {
		const sample = document.querySelector("#sample");
		if (sample && !window.pressed) { window.pressed = true; sample.click(); }
		if (document.querySelector(".badge.invalid") && !window.firstVerdict) { window.firstVerdict = performance.now(); observer.disconnect(); }
	};
	const observer = new MutationObserver(look);
	observer.observe(document.documentElement, {childList: true, subtree: true});
	look(); // the module may have drawn it before
})`

// With the program in the page no document leaves the computer: after the page is there, it
// asks the server for nothing but its own files, and works without the network.
func TestLocal(t *testing.T) {
	packed, err := os.ReadFile("wasm/einvoice.wasm.br")
	if err != nil {
		t.Skip("the program for browsers was not built (make wasm), so it was not tried")
	}
	t.Logf("the program is sent as %.2f MB", float64(len(packed))/1e6)
	p := openWith(t, nil, 1720, 1000, chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(timeToVerdict).Do(ctx)
		return err
	}))
	p.wait(`window.firstVerdict`)
	t.Logf("first verdict %.2f s after the address was entered, with nothing kept (%s)", eval[float64](p, `window.firstVerdict`)/1000, machine())
	p.wait(`document.querySelectorAll(".remedy").length === 3 && document.querySelector("invoice-page").shadowRoot.querySelector(".fault")`)
	if got := eval[string](p, `document.querySelector(".promise-text").textContent`); !strings.Contains(got, "never leaves") {
		t.Errorf("the page promises %q", got)
	}
	p.wait(`navigator.serviceWorker.controller && document.documentElement.dataset.offline`)
	if !eval[bool](p, `(async () => !!(await caches.match("/app/einvoice.wasm")))()`) {
		t.Errorf("the service worker does not have the program: %s", eval[string](p, `(async () => { try { const b = await (await fetch("/app/einvoice.wasm")).arrayBuffer(); await (await caches.open("x")).put("/app/x", new Response(b)); return "put " + b.byteLength; } catch (e) { return String(e); } })()`))
	}
	p.stop() // the server is gone
	p.run(chromedp.Reload(), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	p.drop(map[string]string{"offline.xml": string(workbench.Sample)})
	p.wait(`document.querySelectorAll(".finding").length === 5 && document.querySelectorAll(".remedy").length === 3`)
	p.click("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2`)
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.asked, func(path string) bool { return !strings.HasPrefix(path, "/app") }); i >= 0 {
		t.Errorf("the server was asked for %s", p.asked[i])
	}
	if len(p.foreign) > 0 {
		t.Errorf("the page asked for %s", p.foreign[0])
	}
}

// What the program in the page cannot do is sent to the server only after a question.
func TestAsksBeforeSending(t *testing.T) {
	if _, err := os.Stat("wasm/einvoice.wasm.br"); err != nil {
		t.Skip("the program for browsers was not built (make wasm), so it was not tried")
	}
	p := openWith(t, nil, 1280, 900)
	p.sample()
	print := func() {
		t.Helper()
		p.run(chromedp.Evaluate(`document.querySelector("check-view .menu").open = true`, nil))
		p.wait(`document.querySelector(".menu-item")`)
		p.run(chromedp.Evaluate(`[...document.querySelectorAll(".menu-item")].find((item) => item.textContent === "PDF").click()`, nil), chromedp.WaitVisible("dialog", chromedp.ByQuery))
	}
	sent := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.ContainsFunc(p.asked, func(path string) bool { return strings.HasPrefix(path, "/v1/") })
	}
	print()
	p.run(chromedp.KeyEvent(kb.Escape))
	p.wait(`!document.querySelector("dialog")`)
	if sent() {
		t.Error("the document was sent without a yes")
	}
	dir := t.TempDir()
	p.saveTo(dir)
	print()
	p.click("dialog .primary")
	if made := waitFor(t, filepath.Join(dir, "2026-0417.pdf")); !strings.HasPrefix(made, "%PDF") || !sent() {
		t.Errorf("made is %.20q, sent: %v", made, sent())
	}
	p.quiet()
}

// The program in the page decides by the rules of the server's own, and says where it lacks them.
func TestOwnRulesInThePage(t *testing.T) {
	if _, err := os.Stat("wasm/einvoice.wasm.br"); err != nil {
		t.Skip("the program for browsers was not built (make wasm), so it was not tried")
	}
	rules, keyFile := t.TempDir(), filepath.Join(t.TempDir(), "keys")
	if err := os.MkdirAll(filepath.Join(rules, "overlays"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "overlay: ours\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: ours, until: 2099-12-31}\n"
	if err := os.WriteFile(filepath.Join(rules, "overlays", "ours.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	key, _, err := keys.Add(keyFile, "page", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := openWith(t, func(c *server.Config) {
		c.NoAuth, c.KeysFile, c.RulesetsDir, c.Overlays = false, keyFile, rules, []string{"ours"}
	}, 1280, 900)
	p.sample()
	p.wait(`document.querySelector(".lacks-rules") && !document.querySelector(".finding.warning")`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".settings button")].find((b) => b.textContent === "API key").click()`, nil))
	p.run(chromedp.WaitVisible("dialog input", chromedp.ByQuery), chromedp.SendKeys("dialog input", key+kb.Enter, chromedp.ByQuery))
	p.wait(`!document.querySelector(".lacks-rules") && document.querySelector(".finding.warning .rule-id")?.textContent === "BR-CL-23"`)
	p.quiet()
}

// Where somebody else changes the rules while the page is open, open documents are judged by the new
// ones, by the server and by the program in the page alike, and the page says so.
func TestRulesOfOthers(t *testing.T) {
	for _, local := range []bool{false, true} {
		if _, err := os.Stat("wasm/einvoice.wasm.br"); local && err != nil {
			t.Skip("the program for browsers was not built (make wasm), so it was not tried")
		}
		rules := t.TempDir()
		if err := os.MkdirAll(filepath.Join(rules, "overlays"), 0o755); err != nil {
			t.Fatal(err)
		}
		put := func(level string) {
			t.Helper()
			text := "overlay: ours\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: " + level + ", reason: ours, until: 2099-12-31}\n"
			if err := os.WriteFile(filepath.Join(rules, "overlays", "ours.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put("warning")
		begin := open
		if local {
			begin = func(t testing.TB, change func(*server.Config), width, height int64) *tab {
				return openWith(t, change, width, height)
			}
		}
		p := begin(t, func(c *server.Config) { c.RulesetsDir, c.Overlays = rules, []string{"ours"} }, 1280, 900)
		p.sample()
		p.wait(`document.querySelector(".finding.warning .rule-id")?.textContent === "BR-CL-23"`)
		put("information")
		p.server.Reload(t.Context())
		p.wait(`dispatchEvent(new Event("visibilitychange")) && document.querySelector(".finding.information .rule-id")?.textContent === "BR-CL-23"`)
		p.wait(`document.querySelector(".note:not([hidden])")?.textContent.includes("Other rules are in force now")`)
		p.quiet()
	}
}
