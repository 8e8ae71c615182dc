package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A job is begun, and its report shown; a server that takes none says what it needs.
func TestJobs(t *testing.T) {
	p := open(t, everything(t), 1280, 900)
	p.view("jobs")
	p.wait(`document.querySelector("#begin-job")`)
	p.click("#begin-job")
	p.wait(`document.querySelector('.job[data-state="complete"]')`)
	if got := eval[string](p, `document.querySelector(".job .count.fatal").textContent`); got != "3 Invalid" {
		t.Errorf("the job says %q", got)
	}
	p.run(chromedp.Evaluate(`document.querySelector('[data-act^="report"]').click()`, nil))
	p.wait(`[...document.querySelectorAll(".job .bar-name")].some((name) => name.textContent === "BR-CO-16")`)
	p.quiet()

	none := open(t, nil, 1280, 900)
	none.view("jobs")
	none.wait(`document.querySelector(".jobs-refused")?.textContent.includes("--bulk-sources")`)
	none.quiet()
}
