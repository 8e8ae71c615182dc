//go:build browser

package app_test

import (
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/service/workbench"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A server that is always busy is asked some times, and then the person is told. Without a new
// edit it is not asked again: each time sends the whole document.
func TestBusyServerIsNotAskedForEver(t *testing.T) {
	p := openWith(t, nil, 1280, 900, network.SetBlockedURLs([]string{"*einvoice.wasm"}),
		fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/v1/workbench/check"}}))
	chromedp.ListenTarget(p.ctx, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			answer := fetch.FulfillRequest(paused.RequestID, 503).WithResponseHeaders([]*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/problem+json"}}).
				WithBody("eyJlcnJvckNvZGUiOiJPVkVSTE9BREVEIiwiZGV0YWlsIjoiQXMgbWFueSBhcyB0aGVyZSBhcmUuIn0=") // {"errorCode":"OVERLOADED","detail":"As many as there are."}
			go chromedp.Run(p.ctx, answer) //nolint:errcheck // the wait below fails
		}
	})
	p.drop(map[string]string{"invoice.xml": "<Invoice/>"})
	p.wait(`document.body.textContent.includes("As many as there are.")`)
	asked := p.checks()
	if asked < 2 || asked > 10 {
		t.Errorf("the server was asked %d times before the person was told", asked)
	}
	time.Sleep(5 * time.Second) // longer than any pause between two tries
	if again := p.checks(); again != asked {
		t.Errorf("it was asked %d times more afterwards", again-asked)
	}
}

// A document that the server refuses to check has its reason in the list; the others have their
// verdicts.
func TestOneRefusedAmongMany(t *testing.T) {
	p := open(t, func(c *server.Config) { c.MaxMemory, c.MaxBody = 320<<20, 16<<20 }, 1280, 900)
	sample := string(workbench.Sample)
	p.drop(map[string]string{"a.xml": sample, "b-large.xml": withLines(sample, 5000), "c.xml": sample})
	p.wait(`document.querySelectorAll(".file .dot.invalid").length === 2 && document.querySelectorAll(".file .dot.unchecked").length === 1`)
	p.run(chromedp.Evaluate(`[...document.querySelectorAll(".file")].find((f) => f.textContent.includes("b-large.xml")).click()`, nil))
	p.wait(`document.querySelector(".badge.unchecked") && document.querySelector(".findings-list .trouble").textContent.includes("the most for one document")`)
	p.quiet()
}

// checks counts how often the server was asked for a verdict.
func (p *tab) checks() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range p.asked {
		if strings.HasPrefix(path, "/v1/workbench/check") {
			n++
		}
	}
	return n
}

// An invoice of 5,000 lines, which the server of a deployment checks or refuses, has a final
// answer.
func TestLargeInvoiceHasAnAnswer(t *testing.T) {
	for name, memory := range map[string]int64{"in the sizes of a deployment": 640 << 20, "with less memory": 320 << 20} {
		t.Run(name, func(t *testing.T) {
			p := open(t, func(c *server.Config) { c.MaxMemory, c.MaxBody = memory, min(24<<20, memory/20) }, 1280, 900)
			p.drop(map[string]string{"large.xml": withLines(string(workbench.Sample), 5000)})
			p.wait(`document.querySelector(".badge.invalid, .badge.unchecked")`)
			asked := p.checks()
			time.Sleep(5 * time.Second)
			if again := p.checks(); again != asked || asked > 2 {
				t.Errorf("the server was asked %d times, and then %d times more", asked, again-asked)
			}
			if memory > 500<<20 {
				if got := eval[string](p, `document.querySelector(".verdict").textContent`); !strings.Contains(got, "Invalid") || !strings.Contains(got, "7 Errors") {
					t.Errorf("the verdict is %q", got)
				}
				return
			}
			p.run(chromedp.Evaluate(`document.querySelector(".note").hidden = true`, nil)) // as it is after some seconds
			if got := eval[string](p, `document.querySelector(".work").innerText`); !strings.Contains(got, "Not checked") || !strings.Contains(got, "the most for one document is 160 MiB") || strings.Contains(got, "Waiting") {
				t.Errorf("the page says %q", got)
			}
			p.click("#check-again")
			p.wait(`document.querySelector(".note:not([hidden])")?.textContent.includes("the most for one document")`)
			if again := p.checks(); again != asked+1 {
				t.Errorf("pressing the button asked the server %d times", again-asked)
			}
		})
	}
}
