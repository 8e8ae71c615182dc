//go:build browser

package app_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A job is begun, and its report shown; a server that takes none says what it needs.
func TestJobs(t *testing.T) {
	p := open(t, everything(t), 1280, 900)
	p.view("jobs")
	p.wait(`document.querySelector("#begin-job")`)
	p.run(chromedp.Evaluate(`document.querySelector("#begin-job").click()`, nil)) // the form is made again when rules come in
	p.wait(`document.querySelector('.job[data-state="complete"]')`)
	if got := eval[string](p, `document.querySelector(".job .count.fatal").textContent`); got != "3 Invalid" {
		t.Errorf("the job says %q", got)
	}
	if got := eval[string](p, `document.querySelector(".job").textContent`); !strings.Contains(got, "Files that are neither .xml nor .pdf: 1") {
		t.Errorf("the job does not name the other file: %q", got)
	}
	p.run(chromedp.Evaluate(`document.querySelector('[data-act^="report"]').click()`, nil))
	p.wait(`[...document.querySelectorAll(".job .bar-name")].some((name) => name.textContent === "BR-CO-16")`)
	for _, operation := range []string{"impact", "parse"} {
		p.run(chromedp.Evaluate(`(() => { const box = [...document.querySelectorAll(".jobs-form select")].find((s) => [...s.options].some((o) => o.value === "impact")); box.value = "`+operation+`"; box.dispatchEvent(new Event("change")); })()`, nil))
		p.run(chromedp.Evaluate(`document.querySelector("#begin-job").click()`, nil)) // the form is made again when rules come in
		p.wait(`document.querySelectorAll('.job[data-state="complete"]').length === ` + map[string]string{"impact": "2", "parse": "3"}[operation])
	}
	if got := eval[string](p, `[...document.querySelectorAll(".job")].map((j) => j.textContent).find((t) => t.includes("Compare rulesets"))`); !strings.Contains(got, "other verdict") && !strings.Contains(got, "same verdict") {
		t.Errorf("the comparison says %q", got)
	}
	p.quiet()

	none := open(t, nil, 1280, 900)
	none.view("jobs")
	none.wait(`document.querySelector(".jobs-nothing")?.textContent.includes("--bulk-sources")`)
	none.quiet()
}
