//go:build browser

package app_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/server"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

var (
	chromium = flag.String("chromium", "", "program that runs the page; without it no test in a browser runs")
	shots    = flag.String("shots", "", "folder for pictures of every view")
)

// A tab is the page in a browser.
type tab struct {
	server *server.Server
	testing.TB
	ctx  context.Context
	url  string
	stop func() // ends the server

	mu      sync.Mutex
	foreign []string // requests to anywhere else
	said    []string // errors in the console
	asked   []string // paths that were asked of the server
}

// longest is how long one step may take before the test is given up.
const longest = 3 * time.Minute

// open opens the page in a new browser, on a server whose settings a test changed, whose
// program is asked and not that in the browser.
func open(t testing.TB, change func(*server.Config), width, height int64) *tab {
	t.Helper()
	return openWith(t, change, width, height, network.SetBlockedURLs([]string{"*einvoice.wasm"}))
}

// openWith is open, with actions before the page is there.
func openWith(t testing.TB, change func(*server.Config), width, height int64, before ...chromedp.Action) *tab {
	t.Helper()
	if *chromium == "" {
		t.Skip("no browser was named (-chromium), so the page was not opened")
	}
	config := server.DefaultConfig()
	config.NoAuth, config.Rate, config.KeyWork = true, 0, 0
	if change != nil {
		change(&config)
	}
	s, err := server.New(config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	hs := httptest.NewServer(s)
	t.Cleanup(hs.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(*chromium), chromedp.NoSandbox, chromedp.Flag("lang", "en-US"), chromedp.WSURLReadTimeout(longest))
	allocator, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	p := &tab{TB: t, ctx: ctx, url: hs.URL, stop: hs.Close, server: s}
	chromedp.ListenTarget(ctx, p.hear)
	p.run(network.Enable(), log.Enable(), runtime.Enable(), cdppage.Enable(), emulation.SetDeviceMetricsOverride(width, height, 1, width < 600))
	p.run(before...)
	p.run(chromedp.Navigate(p.url+"/app"), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	return p
}

// anew opens an address of the page, without what was open before.
func (p *tab) anew(hash string) {
	p.Helper()
	p.run(chromedp.Navigate("about:blank"), storage.ClearDataForOrigin(p.url, "indexeddb"), chromedp.Navigate(p.url+"/app"+hash), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
}

func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		switch path, own := strings.CutPrefix(e.Request.URL, p.url); {
		case own:
			p.asked = append(p.asked, path)
		case !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:"):
			p.foreign = append(p.foreign, e.Request.URL)
		}
	case *log.EventEntryAdded:
		// An answer that refuses is shown to the person; the browser notes it as well.
		refused := e.Entry.Source == log.SourceNetwork && (strings.Contains(e.Entry.URL, "/v1/") || strings.HasSuffix(e.Entry.URL, "einvoice.wasm"))
		if e.Entry.Level == log.LevelError && !refused {
			p.said = append(p.said, e.Entry.Text+" "+e.Entry.URL)
		}
	case *cdppage.EventJavascriptDialogOpening: // before something that is not saved is left
		go chromedp.Run(p.ctx, cdppage.HandleJavaScriptDialog(true)) //nolint:errcheck // the step that waits for it fails
	case *runtime.EventExceptionThrown:
		p.said = append(p.said, e.ExceptionDetails.Error())
	}
}

// run carries out actions within a generous time.
func (p *tab) run(actions ...chromedp.Action) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, longest)
	defer cancel()
	if p.ctx.Err() == nil && chromedp.FromContext(p.ctx).Target == nil { // the first run starts the browser, which lives as long as its context
		if err := chromedp.Run(p.ctx); err != nil {
			p.Fatal(err)
		}
	}
	if err := chromedp.Run(ctx, actions...); err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.Fatalf("%v; the console says %q", err, p.said)
	}
}

// eval evaluates JavaScript in the page.
func eval[T any](p *tab, script string) (value T) {
	p.Helper()
	p.run(chromedp.Evaluate(script, &value, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return value
}

// wait waits until JavaScript is true in the page.
func (p *tab) wait(script string) {
	p.Helper()
	p.run(chromedp.Poll("!!("+script+")", nil, chromedp.WithPollingTimeout(longest), chromedp.WithPollingInterval(20*time.Millisecond)))
}

// click clicks what a selector finds first.
func (p *tab) click(selector string) {
	p.Helper()
	p.run(chromedp.Click(selector, chromedp.ByQuery))
}

// clickText clicks the button or link with a text.
func (p *tab) clickText(text string) {
	p.Helper()
	p.click(eval[string](p, fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll("button, a, summary")].find((e) => e.offsetParent && e.textContent.trim().startsWith(%q));
		if (!found) return "#nothing-has-this-text";
		found.dataset.test = String(Math.random()).slice(2);
		return "[data-test='" + found.dataset.test + "']";
	})()`, text)))
}

// quiet fails the test if the page asked anyone else for anything, or complained.
func (p *tab) quiet() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, url := range p.foreign {
		p.Errorf("the page asked for %s", url)
	}
	for _, text := range p.said {
		p.Errorf("the console says %s", text)
	}
}

// saveTo lets the page save files into a folder.
func (p *tab) saveTo(dir string) {
	p.Helper()
	p.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir).WithEventsEnabled(true))
}

// clickLast clicks the last element that a selector finds.
func clickLast(selector string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(%q)].at(-1).click()`, selector), nil)
}
