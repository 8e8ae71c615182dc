package app_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/service/workbench"

	"github.com/chromedp/chromedp"
)

// With the program in the page no document leaves the computer: after the page is there, it
// asks the server for nothing but its own files, and works without the network.
func TestLocal(t *testing.T) {
	packed, err := os.ReadFile("wasm/einvoice.wasm.br")
	if err != nil {
		t.Skip("the program for browsers was not built (make wasm), so it was not tried")
	}
	t.Logf("the program is sent as %.2f MB", float64(len(packed))/1e6)
	began := time.Now()
	p := openWith(t, nil, 1720, 1000)
	p.sample()
	t.Logf("first verdict, page, fields and remedies %s after the browser was started", time.Since(began).Round(time.Millisecond))
	if got := eval[string](p, `document.querySelector(".promise-text").textContent`); !strings.Contains(got, "never leaves") {
		t.Errorf("the page promises %q", got)
	}
	p.wait(`navigator.serviceWorker.controller`)
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
