//go:build browser

package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/service/workbench"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	page   = `document.querySelector("invoice-page").shadowRoot`
	editor = `document.querySelector("check-view text-editor")`
)

// drop gives files to the page as a person does who drops them.
func (p *tab) drop(files map[string]string) {
	p.Helper()
	data, err := json.Marshal(files)
	if err != nil {
		p.Fatal(err)
	}
	p.run(chromedp.Evaluate(fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		for (const [name, text] of Object.entries(%s)) data.items.add(new File([text], name));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	})()`, data), nil))
}

// A sample with five faults is one click away; selecting a finding shows it in the source, on
// the page, in the field and on the card, and each leads back.
func TestEachLeadsToTheOthers(t *testing.T) {
	p := open(t, nil, 1720, 1000)
	p.sample()
	for i, rule := range []string{"BR-CL-14", "BR-CO-09", "BR-07", "BR-CO-16", "BR-CL-23"} {
		p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".finding")[%d].click()`, i), nil))
		p.wait(fmt.Sprintf(`document.querySelector("rule-card .card-id")?.textContent === %q`, rule))
		p.wait(editor + `.shadowRoot.querySelector(".cm-chosen")`)
		p.wait(page + `.querySelector(".chosen")`)
	}
	if got := eval[string](p, page+`.querySelector(".chosen").textContent`); got != "hur" {
		t.Errorf("the page shows %q", got)
	}
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click()`, nil))
	if got := eval[string](p, `document.querySelector(".field[aria-current] input").value`); got != "hur" {
		t.Errorf("the field is %q", got)
	}
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=page][role=tab]').click()`, nil))
	p.wait(page + `.querySelector('[data-path="totals.amountDueForPayment"]')`)
	p.run(chromedp.Evaluate(page+`.querySelector('[data-path="totals.amountDueForPayment"]').click()`, nil))
	p.wait(`document.querySelector("rule-card .card-id").textContent === "BR-CO-16" && document.querySelector(".finding[aria-current] .rule-id").textContent === "BR-CO-16"`)
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click(); document.querySelector('.field[data-path="buyer.postalAddress.countryCode"] input').focus()`, nil))
	p.wait(`document.querySelector("rule-card .card-id").textContent === "BR-CL-14"`)
	p.wait(`document.querySelector("rule-card .parts")`)
	p.quiet()
}

// Remedies are applied by a click, the rest in the fields; what was changed is listed, and
// the document is saved with that list.
func TestMend(t *testing.T) {
	p := open(t, nil, 1280, 900)
	dir := t.TempDir()
	p.saveTo(dir)
	p.sample()
	p.click("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2 && document.querySelectorAll(".changes li").length === 3`)
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click()`, nil))
	for path, value := range map[string]string{"buyer.name": "Northwind & <Co>", "buyer.vatIdentifier": "DE987654321"} {
		p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const input = document.querySelector('.field[data-path="%s"] input'); input.value = %q; input.dispatchEvent(new Event("change", {bubbles: true})); })()`, path, value), nil))
		p.wait(fmt.Sprintf(`%s.text.includes(%q)`, editor, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(value)))
	}
	p.wait(`document.querySelector(".badge.valid") && document.querySelectorAll(".changes li").length === 5`)
	p.click("#save")
	saved := waitFor(t, filepath.Join(dir, "sample.xml"))
	if !strings.Contains(saved, "Northwind &amp; &lt;Co&gt;") || !strings.Contains(saved, ">952.00<") {
		t.Errorf("saved is %.300s", saved)
	}
	list := waitFor(t, filepath.Join(dir, "sample.changes.tsv"))
	if !strings.Contains(list, "BT-115\tAmount due for payment\ttotals.amountDueForPayment\t925.00\t952.00\n") || strings.Count(list, "\n") != 6 {
		t.Errorf("the list of changes is %q", list)
	}
	p.quiet()
}

// Values of an invoice in JSON are changed in the fields as well; what is not a number does not
// break it.
func TestFieldsOfJSON(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.drop(map[string]string{"a.json": `{"invoice": {"number": "1", "totals": {"amountDueForPayment": 12.5}, "lines": [{"identifier": "1", "netAmount": "7"}]}}`})
	p.wait(`document.querySelectorAll(".finding").length > 0`)
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click()`, nil))
	for i, edit := range []struct{ path, value, want string }{
		{"number", `A"1`, `"number": "A\\"1"`}, {"totals.amountDueForPayment", "13", `"amountDueForPayment": 13}`},
		{"lines[0].netAmount", "8", `"netAmount": "8"}`}, {"totals.amountDueForPayment", "much", `"amountDueForPayment": "much"}`},
	} {
		field := fmt.Sprintf(`document.querySelector('.field[data-path="%s"] input')`, edit.path)
		p.wait(field)
		p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const input = %s; input.value = %q; input.dispatchEvent(new Event("change", {bubbles: true})); })()`, field, edit.value), nil))
		p.wait(fmt.Sprintf(`%s.text.includes(%q)`, editor, strings.ReplaceAll(edit.want, `\\`, `\`)))
		if i < 3 {
			p.wait(fmt.Sprintf(`document.querySelectorAll(".changes li").length === %d`, i+1))
		}
	}
	p.wait(`document.querySelector(".badge.unread") && document.querySelectorAll(".finding").length === 1 && document.querySelector(".field-list button")`)
	p.click(".field-list button")
	p.wait(`document.querySelector(".badge.invalid") && document.querySelectorAll(".changes li").length === 3`)
	p.quiet()
}

func waitFor(t *testing.T, file string) string {
	t.Helper()
	for range 300 {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return string(data)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s was not saved", file)
	return ""
}

// modes are the ways in which the page has verdicts: of the service, and of the program in the
// page, where it was built.
func modes(t *testing.T, try func(t *testing.T, open func(width, height int64) *tab)) {
	t.Run("service", func(t *testing.T) {
		try(t, func(width, height int64) *tab { return open(t, nil, width, height) })
	})
	t.Run("browser", func(t *testing.T) {
		if _, err := os.Stat("wasm/einvoice.wasm.br"); err != nil {
			t.Skip("the program for browsers was not built (make wasm), so it was not tried")
		}
		try(t, func(width, height int64) *tab { return openWith(t, nil, width, height) })
	})
}

// machine says what figures were measured on.
func machine() string {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return fmt.Sprintf("%d processors", runtime.NumCPU())
	}
	return fmt.Sprintf("%d processors, load %.4s", runtime.NumCPU(), load)
}

// edit changes the invoice number so many times, at rest, and tells how long each took from
// the keystroke to the verdict on the screen, in milliseconds, sorted.
func (p *tab) edit(times int) []float64 {
	p.Helper()
	took := make([]float64, times)
	for i := range took {
		took[i] = eval[float64](p, fmt.Sprintf(`(async () => {
			const editor = document.querySelector("check-view text-editor"), verdict = document.querySelector(".verdict");
			await new Promise((resolve) => setTimeout(resolve, 700));
			while (document.querySelector("[aria-busy]")) await new Promise((resolve) => setTimeout(resolve, 50));
			const number = "2026-%d", at = editor.text.indexOf("2026-", editor.text.indexOf("<cbc:ID>"));
			const shown = new Promise((resolve) => {
				const observer = new MutationObserver(() => { if (verdict.textContent.includes(number)) { observer.disconnect(); resolve(performance.now()); } });
				observer.observe(verdict, {childList: true, subtree: true, characterData: true});
			});
			const began = performance.now();
			editor.replace([{from: at, to: at + 9, text: number}]);
			return await shown - began;
		})()`, 1000+rand.IntN(9000)))
	}
	slices.Sort(took)
	return took
}

// Typing in the source is judged again; how long that takes is told, not required.
func TestEditing(t *testing.T) {
	modes(t, func(t *testing.T, open func(width, height int64) *tab) {
		p := open(1280, 900)
		large := withLines(string(workbench.Sample), 150)
		p.drop(map[string]string{"large.xml": large})
		p.wait(`document.querySelector(".badge.invalid") && document.querySelectorAll(".finding").length > 0`)
		took := p.edit(15)
		t.Logf("judged again after an edit of %d KB: median %.0f ms, least %.0f ms (%s)", len(large)/1000, took[7], took[0], machine())
		p.quiet()
	})
}

// withLines repeats the last line of the sample.
func withLines(text string, n int) string {
	from := strings.LastIndex(text, "  <cac:InvoiceLine>")
	to := strings.Index(text, "</ubl:Invoice>")
	var b strings.Builder
	b.WriteString(text[:from])
	for i := range n {
		b.WriteString(strings.Replace(text[from:to], "<cbc:ID>3<", fmt.Sprintf("<cbc:ID>%d<", i+3), 1))
	}
	return b.String() + text[to:]
}

// 5,000 lines stay usable: the verdict, a click on a finding, an edit, and the page.
func TestManyLines(t *testing.T) {
	modes(t, func(t *testing.T, open func(width, height int64) *tab) {
		p := open(1280, 900)
		began := time.Now()
		p.drop(map[string]string{"long.xml": withLines(string(workbench.Sample), 5000)})
		p.wait(`document.querySelectorAll(".finding").length > 3`)
		t.Logf("5,000 lines: first verdict after %s (%s)", time.Since(began).Round(time.Millisecond), machine())
		p.run(chromedp.Evaluate(`document.querySelectorAll(".finding")[2].click()`, nil))
		p.wait(editor + `.shadowRoot.querySelector(".cm-chosen")`)
		took := p.edit(5)
		t.Logf("5,000 lines: judged again after %.0f ms (median), the longest that the page did not answer %.0f ms (%s)", took[2], p.longestTask(func() { p.edit(1) }), machine())
		p.run(chromedp.Evaluate(`document.querySelector('[data-pane=page][role=tab]').click()`, nil))
		p.wait(page + `.querySelectorAll('[data-path^="lines[5001]"]').length > 0`)
		p.quiet()
	})
}

// longestTask is the longest time, in milliseconds, in which the page did nothing else while
// something was done.
func (p *tab) longestTask(do func()) float64 {
	p.Helper()
	p.run(chromedp.Evaluate(`window.longestTask = 0; window.tasks = new PerformanceObserver((list) => { for (const e of list.getEntries()) window.longestTask = Math.max(window.longestTask, e.duration); }); window.tasks.observe({entryTypes: ["longtask"]})`, nil))
	do()
	return eval[float64](p, `window.tasks.disconnect(), window.longestTask`)
}

// Nothing of a document becomes markup or runs, wherever it is shown.
func TestHostileNames(t *testing.T) {
	p := open(t, nil, 1720, 1000)
	hostile := `&lt;img src=x onerror="window.pwned=1"&gt;&lt;script&gt;window.pwned=1&lt;/script&gt;`
	text := strings.ReplaceAll(string(workbench.Sample), "Hafenrad Bicycles Ltd", hostile)
	text = strings.ReplaceAll(text, "Brake pads, set", `&lt;/span&gt;&lt;iframe src="javascript:window.pwned=1"&gt; {{7*7}} `+hostile)
	text = strings.ReplaceAll(text, ">de<", ">"+hostile+"<")
	p.drop(map[string]string{`"><img src=x onerror=window.pwned=1>.xml`: text, "b.xml": text})
	p.wait(`document.querySelectorAll(".finding").length >= 5 && ` + page + `.querySelector(".fault")`)
	for range 5 {
		p.run(chromedp.KeyEvent(kb.F8))
	}
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click()`, nil))
	p.view("rules")
	p.part("tryOut")
	p.run(chromedp.Evaluate(`document.querySelector(".expression text-editor").replace([{from: 0, to: document.querySelector(".expression text-editor").text.length, text: "this.seller.name"}])`, nil))
	p.wait(`document.querySelector(".values pre")?.textContent.includes("onerror")`)
	found := eval[[]string](p, `(() => {
		const roots = [document, `+page+`, `+editor+`.shadowRoot], found = [];
		for (const root of roots) for (const e of root.querySelectorAll("script:not([src]), iframe, img[src=x], [onerror]")) found.push(e.outerHTML);
		if (window.pwned) found.push("a script ran");
		return found;
	})()`)
	for _, one := range found {
		t.Errorf("the page has %s", one)
	}
	p.quiet()
}

// Many files are judged one by one, whatever they are.
func TestManyFiles(t *testing.T) {
	p := open(t, nil, 1280, 900)
	sample := string(workbench.Sample)
	p.drop(map[string]string{"a.xml": sample, "b.json": `{"invoice": {"number": "1"}}`, "c.xml": "<broken", "d.xml": strings.ReplaceAll(sample, ">925.00<", ">952.00<")})
	p.wait(`document.querySelectorAll(".file").length === 4 && document.querySelectorAll(".file .dot.invalid").length === 3 && document.querySelectorAll(".file .dot.unread").length === 1`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".files .segmented button")].find((b) => b.textContent === "1 Unreadable").click()`, nil))
	p.wait(`document.querySelectorAll(".file").length === 2`) // with the one that is looked at
	p.run(chromedp.Evaluate(`document.querySelector(".files [aria-pressed=true]").click()`, nil))
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".file")].find((f) => f.textContent.includes("c.xml")).click()`, nil))
	p.wait(`document.querySelector(".badge.unread")`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".file")].find((f) => f.textContent.includes("b.json")).click()`, nil))
	p.wait(`document.querySelectorAll(".finding").length > 3`)
	p.quiet()
}

// A link has the settings and nothing of the document, which is kept in one place alone until it is
// closed.
func TestWhatIsKept(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.sample()
	p.run(chromedp.Evaluate(`document.querySelector(".settings").open = true; const at = document.querySelector(".settings input[type=date]"); at.value = "2027-01-01"; at.dispatchEvent(new Event("change"))`, nil))
	p.wait(`document.querySelector(".settings-now").textContent.includes("2027-01-01")`)
	kept := eval[string](p, `(async () => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, (await indexedDB.databases()).map((d) => d.name).join(), await caches.keys(), location.href]))()`)
	if strings.Contains(kept, "Hafenrad") || strings.Contains(kept, "0417") || !strings.Contains(kept, "2027-01-01") || !strings.Contains(kept, `"einvoice",`) {
		t.Errorf("kept is %s", kept)
	}
	const stored = `(async () => { const db = await new Promise((r) => { const asked = indexedDB.open("einvoice"); asked.onsuccess = () => r(asked.result); }); const asked = db.transaction("work").objectStore("work").getAll(); await new Promise((r) => { asked.onsuccess = r; }); db.close(); return asked.result.map((kept) => kept.documents.map((d) => d.name).join()).join(); })()`
	names := func(want string) {
		t.Helper()
		got := ""
		for range 100 {
			if got = eval[string](p, stored); got == want {
				return
			}
			p.run(chromedp.Sleep(settle / 6))
		}
		t.Errorf("kept is %q, want %q", got, want)
	}
	names("sample.xml")
	p.run(chromedp.Evaluate(`document.querySelector(".settings").open = false`, nil))
	p.click(".bar-actions > button")
	names("")
	p.anew("#check?language=de&profile=xrechnung-3.0&at=2026-12-01")
	p.click("#sample")
	p.wait(`document.querySelector(".bar .muted")?.textContent.includes("XRechnung") && document.querySelector(".badge.invalid")?.textContent === "Ungültig"`)
	p.anew("#check?language=de&profile=of-another-server&overlay=neither&at=tomorrow")
	p.wait(`document.querySelector(".note")?.textContent.includes("of-another-server, neither")`)
	p.click("#sample")
	p.wait(`document.querySelector(".badge.invalid")`)
	p.quiet()
}

// In each language, with the keyboard alone: a document is opened, a finding chosen.
func TestKeyboard(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.run(chromedp.Focus("#sample", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelectorAll(".finding").length === 5`)
	p.run(chromedp.KeyEvent(kb.F8), chromedp.KeyEvent(kb.F8))
	p.wait(`document.activeElement.classList.contains("finding") && document.querySelector("rule-card .card-id")`)
	before := eval[string](p, `document.querySelector(".finding[aria-current] .rule-id").textContent`)
	p.run(chromedp.KeyEvent(kb.ArrowDown))
	p.wait(fmt.Sprintf(`document.querySelector(".finding[aria-current] .rule-id").textContent !== %q`, before))
	p.run(chromedp.Focus("[role=tab][data-pane=source][aria-selected=true]", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	p.wait(`document.activeElement.matches("[role=tab][data-pane=page][aria-selected=true]")`)
	p.view("rules")
	p.run(chromedp.Focus("[data-part=browse]", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowLeft))
	p.wait(`document.activeElement.matches("[data-part=publish][aria-selected=true]")`)
	p.quiet()
}

// A hybrid PDF is read off its pages: the values stand at their places, a click on words
// corrects one, and the invoice is created.
func TestParse(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.view("parse")
	p.dropExample("invoice.pdf")
	p.wait(`document.querySelectorAll(".value-row").length > 10 && document.querySelectorAll(".scan-page .word").length > 20`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".value-row")].find((r) => r.dataset.pointer === "/number").click()`, nil))
	p.wait(`document.querySelector(".found")`)
	word := eval[string](p, `(() => { const word = document.querySelectorAll(".word")[3]; word.click(); return word.getAttribute("aria-label"); })()`)
	p.wait(fmt.Sprintf(`document.querySelector('[data-pointer="/number"] b').textContent === %q`, word))
	p.click("#create")
	p.wait(fmt.Sprintf(`document.querySelector(".doc-name")?.textContent.includes(%q) && %s.text.includes('"invoice"')`, word, editor))
	p.quiet()
}

// A hybrid PDF dropped for checking shows the XML inside.
func TestHybrid(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.dropExample("invoice.pdf")
	p.wait(`document.querySelector(".badge.valid, .badge.invalid") && ` + editor + `.text.includes("CrossIndustryInvoice")`)
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=page][role=tab]').click()`, nil))
	p.wait(page + `.querySelector("[data-path]")`)
	p.quiet()
}

// A PDF without an invoice that programs can read is read off its pages, a click away.
func TestPagesOfAPDF(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.run(chromedp.Evaluate(`fetch("/app/sample.xml").then((answer) => answer.text())
		.then((text) => fetch("/v1/workbench/make", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({text, what: "render", to: "pdf"})}))
		.then((answer) => answer.json()).then((made) => {
			const data = new DataTransfer();
			data.items.add(new File([Uint8Array.from(atob(made.data), (c) => c.charCodeAt(0))], "pages.pdf"));
			document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
		})`, nil))
	p.run(chromedp.WaitVisible("#read-pages", chromedp.ByQuery), chromedp.Click("#read-pages", chromedp.ByQuery))
	p.wait(`document.querySelectorAll(".value-row").length > 10 && document.querySelector('[data-pointer="/number"] .field-name').textContent === "BT-1 Invoice number"`)
	p.quiet()
}

// What cannot be read says where and what to do; the place is a click away.
func TestTrouble(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.drop(map[string]string{"broken.xml": "<a>\n  <b>\n</a>"})
	p.wait(`document.querySelector(".trouble button")`)
	if got := eval[string](p, `document.querySelector(".trouble").textContent`); !strings.Contains(got, "opened in line 2") || !strings.Contains(got, "Show line 3") {
		t.Errorf("the page says %q", got)
	}
	p.run(chromedp.Evaluate(`document.querySelector(".trouble button").click()`, nil))
	p.wait(`document.activeElement.tagName === "TEXT-EDITOR"`)
	p.quiet()
}

// What is not made, and what a file lacks that is made, is listed with the reasons.
func TestRefusedAndLost(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.saveTo(t.TempDir())
	p.sample()
	make := func(label string) {
		t.Helper()
		p.click("check-view .menu summary")
		p.wait(`document.querySelector(".menu-item")`)
		p.clickText(label)
	}
	make("XRechnung")
	p.wait(`document.querySelectorAll(".told li").length === 4 && document.querySelector(".told").textContent.includes("BR-CO-16")`)
	p.run(chromedp.KeyEvent(kb.Escape))
	p.drop(map[string]string{"a.xml": strings.Replace(string(workbench.Sample), "<cbc:ID>", "<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:ID>", 1)})
	p.wait(`document.querySelectorAll(".finding").length >= 5`)
	p.click("check-view .menu summary")
	p.run(clickLast(`.menu-row:nth-of-type(2) .menu-item`))
	p.wait(`document.querySelector(".told")?.textContent.includes("EN 16931 has no term for it in UBL 2.1.")`)
	p.quiet()
}

// Fields are under headings in words; a document that was changed is not left without a word.
func TestHeadingsAndLeaving(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.anew("#check?language=de")
	p.sample()
	p.run(chromedp.Evaluate(`document.querySelector('[data-pane=fields][role=tab]').click()`, nil))
	if got := eval[[]string](p, `[...document.querySelectorAll(".field-list h2")].map((h) => h.textContent)`); !slices.Contains(got, "Verkäufer") || !slices.Contains(got, "Rechnungsposition 2") {
		t.Errorf("the headings are %q", got)
	}
	p.click("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2`)
	p.click(".bar-actions > button")
	p.run(chromedp.WaitVisible("dialog", chromedp.ByQuery), chromedp.KeyEvent(kb.Escape))
	p.wait(`!document.querySelector("dialog") && document.querySelectorAll(".finding").length === 2`)
	p.drop(map[string]string{"other.xml": valid(t)}) // another document takes its place only after the same question
	p.run(chromedp.WaitVisible("dialog", chromedp.ByQuery), chromedp.KeyEvent(kb.Escape))
	p.wait(`!document.querySelector("dialog") && document.querySelectorAll(".finding").length === 2`)
	p.click(".bar-actions > button")
	p.click("dialog .primary")
	p.run(chromedp.WaitVisible("#sample", chromedp.ByQuery))
	p.quiet()
}

// The page asks for a key where the server does, and keeps it nowhere.
func TestKey(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "keys")
	key, _, err := keys.Add(keyFile, "page", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, func(c *server.Config) { c.NoAuth, c.KeysFile = false, keyFile }, 1280, 900)
	p.run(chromedp.WaitVisible("dialog input", chromedp.ByQuery), chromedp.SendKeys("dialog input", key+kb.Enter, chromedp.ByQuery))
	p.wait(`document.querySelectorAll(".settings option").length > 10`)
	p.click("#sample")
	p.wait(`document.querySelectorAll(".finding").length === 5`)
	if kept := eval[string](p, `JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])`); strings.Contains(kept, key) {
		t.Error("the key is kept")
	}
	p.quiet()
}

var axeScript = filepath.Join("node_modules", "axe-core", "axe.min.js")

// themed is a page in light or dark, whose colours change at once: on their way they are none
// that stay.
func themed(theme string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}})
}

// barriers fails the test for each violation that axe finds in what is shown.
func (p *tab) barriers(view string) {
	p.Helper()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		p.Fatalf("axe is not here, which make app installs: %v", err)
	}
	p.run(chromedp.Evaluate(string(script), nil))
	found := eval[[]string](p, `(async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? n.failureSummary)).join(" | ")))()`)
	for _, one := range found {
		p.Errorf("%s: %s", view, one)
	}
}

// Axe finds no violation on any view, light and dark, narrow and wide.
func TestAxe(t *testing.T) {
	p := open(t, everything(t), 1280, 900)
	for _, width := range []int64{360, 1280, 3840} {
		for _, theme := range []string{"light", "dark"} {
			p.run(emulation.SetDeviceMetricsOverride(width, 900, 1, width < 600), themed(theme))
			p.walk("en", func(view string) { p.barriers(fmt.Sprintf("%s, %d px, %s", view, width, theme)) })
		}
	}
	keyFile := filepath.Join(t.TempDir(), "keys")
	if _, _, err := keys.Add(keyFile, "page", keys.Limits{}); err != nil {
		t.Fatal(err)
	}
	p = open(t, func(c *server.Config) { c.NoAuth, c.KeysFile = false, keyFile }, 1280, 900)
	for _, theme := range []string{"light", "dark"} {
		p.run(themed(theme), chromedp.WaitVisible("dialog input", chromedp.ByQuery))
		p.barriers("dialog for the key, " + theme)
	}
}
