package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestShots makes pictures of every view in three widths, light and dark, for people to look
// at.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no folder was named (-shots), so no pictures were made")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	p := open(t, nil, 1280, 800)
	for _, size := range []struct{ width, height int64 }{{360, 740}, {1280, 800}, {3840, 2160}} {
		for _, theme := range []string{"light", "dark"} {
			p.run(emulation.SetDeviceMetricsOverride(size.width, size.height, 1, size.width < 600),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
			p.walk(func(view string) {
				var picture []byte
				p.run(chromedp.CaptureScreenshot(&picture))
				name := fmt.Sprintf("%s-%d-%s.png", view, size.width, theme)
				if err := os.WriteFile(filepath.Join(*shots, name), picture, 0o600); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	p.quiet()
}

// walk shows view after view, and tells each.
func (p *tab) walk(see func(view string)) {
	p.Helper()
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/app"), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	see("start")
	p.sample()
	see("check-findings")
	p.run(chromedp.Evaluate(`document.querySelectorAll(".finding")[4].click()`, nil))
	p.wait(`document.querySelector("rule-card .parts")`)
	for _, pane := range []string{"source", "page", "fields", "card"} {
		p.run(chromedp.Evaluate(`document.querySelector("[data-pane=`+pane+`][role=tab]").click()`, nil))
		see("check-" + pane)
	}
}

// sample opens the sample and waits for all that is said of it.
func (p *tab) sample() {
	p.Helper()
	p.click("#sample")
	p.wait(`document.querySelectorAll(".finding").length === 5 && document.querySelectorAll(".remedy").length === 3 && document.querySelector("invoice-page").shadowRoot.querySelector(".fault")`)
}
