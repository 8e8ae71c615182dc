//go:build browser

package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/service/workbench"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// dropBytes drops one file of any bytes.
func (p *tab) dropBytes(name string, data []byte) {
	p.Helper()
	p.run(chromedp.Evaluate(fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	})()`, base64.StdEncoding.EncodeToString(data), name), nil))
}

// settle is longer than the page waits before it keeps what is open.
const settle = 600 * time.Millisecond

// valid is a document without findings.
func valid(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What has the focus is taken away again and again: it is never lost to the body of the page.
func TestFocusIsNotLost(t *testing.T) {
	p := open(t, nil, 1280, 900)
	somewhere := func(after string) {
		t.Helper()
		if got := eval[string](p, `(async () => { await new Promise((r) => setTimeout(r, 300)); return document.activeElement.tagName + "." + document.activeElement.className; })()`); strings.HasPrefix(got, "BODY") {
			t.Errorf("after %s the focus is at %s", after, got)
		}
	}
	press := func(selector string) {
		t.Helper()
		p.run(chromedp.Focus(selector, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	}
	press("#sample")
	p.wait(`document.querySelectorAll(".finding").length === 5`)
	somewhere("the sample")
	press("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2`)
	somewhere("all remedies")
	p.run(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	p.wait(`document.querySelectorAll(".finding").length === 5`)
	press(".bar-actions > button")
	p.run(chromedp.Evaluate(`document.querySelector("dialog .primary")?.click()`, nil))
	p.wait(`document.querySelector("#sample").checkVisibility()`)
	somewhere("another document")
	p.quiet()
}

// Who chooses from a list by keyboard goes on from there, also where the list is made anew.
func TestFocusStaysInLists(t *testing.T) {
	p := open(t, func(c *server.Config) { c.Archive = archive(t) }, 1280, 900)
	stays := func(selector string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector(%q)`, selector))
		p.run(chromedp.Focus(selector, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter), chromedp.Sleep(settle/2))
		if !eval[bool](p, fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, selector)) {
			t.Errorf("after %s the focus is at %s", selector, eval[string](p, `document.activeElement.outerHTML.slice(0, 80)`))
		}
	}
	p.view("parse")
	p.dropExample("invoice.pdf")
	stays(".value-row:nth-of-type(3)")
	p.view("rules")
	stays(".rule-row:nth-of-type(4)")
	p.part("draft")
	p.run(chromedp.Focus("#open-example", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	p.wait(`document.activeElement.matches("rules-view text-editor")`)
	p.view("impact")
	p.click("#server-archive")
	p.wait(`document.querySelectorAll(".change").length === 3 && !document.querySelector("progress")`)
	stays(".segmented button:nth-of-type(2)")
	stays(".bar-row:nth-of-type(2)")
	p.view("rules")
	p.part("draft")
	p.run(chromedp.Focus(".column.wide > .tools > button:last-of-type", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("dialog", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	p.wait(`document.activeElement.matches("rules-view text-editor, #open-example")`)
	p.quiet()
}

// A ZIP is opened like a folder, what is not opened is named, and what has to be done stands first.
func TestZIPInvalidFirst(t *testing.T) {
	p := open(t, nil, 1280, 900)
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for i := range 30 {
		text := valid(t)
		if i%10 == 9 {
			text = strings.Replace(text, "<cbc:DocumentCurrencyCode>EUR", "<cbc:DocumentCurrencyCode>EUX", 1)
		}
		w, err := z.Create(fmt.Sprintf("in/%02d.xml", i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "%s<!-- %d -->", text, i)
	}
	for name, text := range map[string]string{"notes.txt": "x", "in/broken.xml": "<Invoice", "letter.docx": "y"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p.dropBytes("all.zip", packed.Bytes())
	p.wait(`document.querySelector(".note")?.textContent.includes("notes.txt") && document.querySelector(".note").textContent.includes("letter.docx")`)
	p.wait(`document.querySelectorAll(".file").length === 31 && !document.querySelector(".file .dot.waiting")`)
	kinds := eval[[]string](p, `[...document.querySelectorAll(".file .dot")].map((dot) => dot.className.replace("dot ", ""))`)
	want := slices.Concat(slices.Repeat([]string{"invalid"}, 3), []string{"unread"}, slices.Repeat([]string{"valid"}, 27))
	if !slices.Equal(kinds, want) {
		t.Errorf("the list is %v", kinds)
	}
	p.run(chromedp.SendKeys(".files input[type=search]", "19.xml", chromedp.ByQuery))
	p.wait(`[...document.querySelectorAll(".file")].filter((f) => f.getAttribute("aria-current") !== "true").length === 1`)
	p.dropBytes("bad.zip", []byte("PK\x03\x04 and no more"))
	p.wait(`document.querySelector(".note")?.textContent.includes("bad.zip")`)
	p.drop(map[string]string{"broken.xml": "<Invoice"})
	p.wait(`document.querySelector(".badge.unread")`)
	for _, gone := range []string{".bar-actions > .menu", ".pane-findings > .tools"} {
		if eval[bool](p, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, gone)) {
			t.Errorf("%s is there for a document that cannot be read", gone)
		}
	}
	p.quiet()
}

// A reload opens what was open, with its edits; the address of a finding leads to it; and what was
// closed is forgotten.
func TestWorkIsKept(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.sample()
	p.click("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2`)
	p.run(chromedp.Sleep(settle))
	again := func(hash string) {
		t.Helper()
		p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/app"+hash), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	}
	again("")
	p.wait(`document.querySelectorAll(".finding").length === 2 && document.querySelector(".note")?.textContent.includes("restored")`)
	if eval[bool](p, editor+`.text.includes("925.00")`) {
		t.Error("the edits are lost")
	}
	p.wait(`document.querySelectorAll(".changes li").length === 3`) // from the values before the first edit
	address := eval[string](p, `(async () => {
		let copied = "";
		Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { copied = text; }}});
		[...document.querySelectorAll(".finding")].at(-1).click();
		await new Promise((r) => setTimeout(r, 100));
		document.querySelector(".copy-finding").click();
		await new Promise((r) => setTimeout(r, 100));
		return copied;
	})()`)
	rule := eval[string](p, `document.querySelector(".finding[aria-current] .rule-id").textContent`)
	at := strings.Index(address, "#")
	if at < 0 || !strings.Contains(address, rule) || strings.Contains(address, "Hafenrad") {
		t.Fatalf("the address is %q, of %s", address, rule)
	}
	again(address[at:])
	p.wait(fmt.Sprintf(`document.querySelector(".finding[aria-current] .rule-id")?.textContent === %q`, rule))
	p.run(chromedp.Evaluate(`document.querySelector(".bar-actions > button").click(); setTimeout(() => document.querySelector("dialog .primary")?.click(), 100)`, nil))
	p.wait(`document.querySelector("#sample").checkVisibility()`)
	p.run(chromedp.Sleep(settle))
	again(address[at:])
	p.wait(fmt.Sprintf(`location.hash === "#rules" && document.querySelector("rules-view rule-card .card-id")?.textContent === %q`, rule))
	p.quiet()
}

// find types into the filter of the findings.
func (p *tab) find(text string) {
	p.Helper()
	p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const filter = document.querySelector(".pane-findings > .tools input"); filter.value = %q; filter.dispatchEvent(new Event("input")); })()`, text), nil))
}

// Undoing goes back through the edits of a document, also when another one was looked at meanwhile,
// and never into the text of the other.
func TestUndoStaysInItsDocument(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.drop(map[string]string{"a.xml": string(workbench.Sample), "v.xml": valid(t)})
	p.wait(`document.querySelectorAll(".file").length === 2 && !document.querySelector(".file .dot.waiting")`)
	turn := func(name, seller string) {
		t.Helper()
		p.run(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(".file")].find((f) => f.textContent.includes(%q)).click()`, name), nil))
		p.wait(fmt.Sprintf(`document.querySelector(".doc-name").textContent.includes(%q) && %s.text.includes(%q)`, seller, editor, seller))
	}
	undo := func(want string) {
		t.Helper()
		p.run(chromedp.Sleep(settle), chromedp.Evaluate(`document.querySelector(".file[aria-current=true]").focus()`, nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)), chromedp.Sleep(settle))
		if got := eval[string](p, editor+`.text`); !strings.Contains(got, want) {
			t.Errorf("the text is %.200q, without %s", got, want)
		}
	}
	turn("v.xml", "Example Seller")
	undo("Example Seller")
	turn("a.xml", "Hafenrad")
	undo("Hafenrad")
	p.wait(`document.querySelector("#apply-all:not([disabled])")`)
	p.click("#apply-all")
	p.wait(`document.querySelectorAll(".finding").length === 2`)
	turn("v.xml", "Example Seller")
	turn("a.xml", "Hafenrad")
	undo(">925.00<") // the value before it was corrected
	undo("Hafenrad")
	p.quiet()
}

// A term that a finding misses is typed on the finding itself; the expression is folded away, and
// the finding about the whole document marks the name of its root alone.
func TestAddOnTheFinding(t *testing.T) {
	p := open(t, nil, 1720, 1000)
	text := strings.Replace(string(workbench.Sample), "<cbc:DocumentCurrencyCode>", "<!-- --><cbc:DocumentCurrencyCode>", 1)
	at := strings.Index(text, "<cbc:BuyerReference>")
	if at >= 0 {
		text = text[:at] + text[strings.Index(text, "</cbc:BuyerReference>")+len("</cbc:BuyerReference>"):]
	}
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/app#check?profile="+xrechnung(p)), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	p.drop(map[string]string{"a.xml": text})
	p.wait(`[...document.querySelectorAll(".finding .rule-id")].some((r) => r.textContent === "BR-DE-15")`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".finding")].find((f) => f.textContent.includes("BR-DE-15")).click()`, nil))
	p.wait(`document.querySelector('[data-add="buyerReference"]') && document.querySelector("rule-card .how")`)
	if eval[bool](p, `document.querySelector("rule-card .how").open`) {
		t.Error("the expression is not folded away")
	}
	if marked := eval[int](p, editor+`.shadowRoot.querySelector(".cm-chosen")?.textContent.length ?? 0`); marked == 0 || marked > 40 {
		t.Errorf("%d characters are marked", marked)
	}
	p.run(chromedp.SendKeys(`[data-add="buyerReference"]`, "04011000-1234512345-06"+kb.Enter, chromedp.ByQuery))
	p.wait(editor + `.text.includes("<cbc:BuyerReference>04011000-1234512345-06</cbc:BuyerReference>")`)
	p.wait(`![...document.querySelectorAll(".finding .rule-id")].some((r) => r.textContent === "BR-DE-15")`)
	p.quiet()
}

// xrechnung is the id of a profile of XRechnung that the page has.
func xrechnung(p *tab) string {
	p.Helper()
	p.wait(`[...document.querySelectorAll(".settings option")].some((o) => o.value.includes("xrechnung"))`)
	return eval[string](p, `[...document.querySelectorAll(".settings option")].map((o) => o.value).find((v) => v.includes("xrechnung"))`)
}

// What is printed is the report with every finding and the card, and nothing of the page.
func TestPrintIsTheReport(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.sample()
	p.find("BR-07") // a filter is of the list, and not of what is printed
	p.wait(`document.querySelectorAll(".finding").length === 1`)
	p.find("nothing has this")
	p.wait(`document.querySelector(".findings-list").innerText.includes("No finding matches the filter.")`)
	p.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil))
	p.run(emulation.SetEmulatedMedia().WithMedia("print"))
	got := eval[string](p, `document.body.innerText`)
	for _, rule := range []string{"BR-CL-14", "BR-CO-09", "BR-07", "BR-CO-16", "BR-CL-23", "SHA-256", "de is not a country code"} {
		if !strings.Contains(got, rule) {
			t.Errorf("%s is not printed: %.2000s", rule, got)
		}
	}
	for _, chrome := range []string{"violates no rule", "Settings", "Open another document", "Filter findings", "Fields", "Apply all"} {
		if strings.Contains(got, chrome) {
			t.Errorf("%q is printed", chrome)
		}
	}
	var pdf []byte
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdppage.PrintToPDF().Do(ctx)
		return err
	}))
	if len(pdf) < 5000 {
		t.Errorf("the print has %d bytes", len(pdf))
	}
	p.quiet()
}

// What cannot be read is printed with the reason, and a document that was not checked with that.
// Without a document the page prints what it shows.
func TestPrintWithoutAVerdict(t *testing.T) {
	p := open(t, nil, 1280, 900)
	prints := func(want string, never ...string) {
		t.Helper()
		p.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil), emulation.SetEmulatedMedia().WithMedia("print"))
		got := eval[string](p, `document.body.innerText`)
		p.run(emulation.SetEmulatedMedia().WithMedia("screen"))
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is printed %d times: %s", want, strings.Count(got, want), got)
		}
		for _, text := range never {
			if strings.Contains(got, text) {
				t.Errorf("%q is printed: %s", text, got)
			}
		}
	}
	prints("Check an invoice", "Choose files")
	p.drop(map[string]string{"broken.xml": "<Invoice"})
	p.wait(`document.querySelector(".badge.unread")`)
	prints("broken.xml", "SHA-256", "Source", "Check an invoice")
	prints("The document ends within a tag. Send the whole document.")
	p.stop()
	p.drop(map[string]string{"late.xml": string(workbench.Sample)})
	p.wait(`document.querySelector(".badge.unchecked")`)
	prints("late.xml", "Source")
	prints("Cannot reach the server")
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.foreign) > 0 {
		t.Errorf("the page asked for %s", p.foreign[0])
	}
}

// Without the program for browsers the page does not ask for it.
func TestNoRequestForWhatIsNotThere(t *testing.T) {
	p := open(t, nil, 1280, 900)
	if _, err := os.Stat("wasm/einvoice.wasm.br"); err == nil {
		t.Skip("the program for browsers was built, so the page asks for it")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range p.asked {
		if strings.Contains(path, "wasm") {
			t.Errorf("the page asked for %s", path)
		}
	}
}
