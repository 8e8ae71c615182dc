//go:build browser

package app_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/server"
)

// Each changed document of the archive is a click away, as it was judged before and as it is
// judged with the draft; the card of a rule says in which documents it fires, and opens them.
func TestPastInvoices(t *testing.T) {
	p := open(t, func(c *server.Config) { c.Archive = archive(t) }, 1280, 900)
	p.view("rules")
	p.part("draft")
	p.clickText("Start from an example")
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	p.view("impact")
	p.click("#server-archive")
	p.wait(`document.querySelectorAll(".change").length === 3 && !document.querySelector("progress")`)
	p.clickText("After")
	p.wait(`!document.querySelector("check-view").hidden && document.querySelectorAll(".finding").length > 0 && document.querySelector(".with-draft")`)
	after := eval[int](p, `document.querySelectorAll(".finding").length`)
	p.view("impact")
	p.clickText("Before")
	p.wait(`!document.querySelector("check-view").hidden && document.querySelectorAll(".finding").length > 0 && !document.querySelector(".with-draft")`)
	if before := eval[int](p, `document.querySelectorAll(".finding").length`); before == after {
		t.Errorf("%d findings before as after", before)
	}
	p.wait(`document.querySelector("rule-card .count-archive")`)
	p.click("rule-card .count-archive")
	p.wait(`document.querySelector("rule-card .archive-count")?.textContent === "3 of 3 documents violate it." && document.querySelectorAll("rule-card .past-list li").length === 3`)
	p.run(clickLast("rule-card .past-list button"))
	p.wait(`document.querySelector(".doc-name").textContent.includes("Other Seller SA")`)
	p.quiet()
}

// Where no verdict changes, Impact says so, and whether the draft is for any of the documents; a
// count of none is neither good nor bad.
func TestImpactWithoutADifference(t *testing.T) {
	for name, try := range map[string]struct{ seller, says string }{
		"for none": {"DE999999999", "The draft applies to none of these documents."},
		"for some": {"DE123456789", "The draft applies to 3 of them."},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, func(c *server.Config) { c.Archive = archive(t) }, 1280, 900)
			p.view("rules")
			p.part("draft")
			h := &hand{tab: p}
			h.write(`.lower input[list]`, "BR-CL-01") // which none of them violates
			for i, text := range []string{try.seller, "a trial", "Purchasing", "2099-12-31"} {
				h.write(fmt.Sprintf(`.lower > label:nth-of-type(%d) input`, i+3), text)
			}
			h.press("#write-overlay")
			p.wait(`document.querySelector(".draft-results .chip.good")`)
			p.view("impact")
			p.click("#server-archive")
			p.wait(`document.querySelector(".impact-results h2")?.textContent === "No verdict changes." && !document.querySelector("progress")`)
			if got := eval[string](p, `document.querySelector(".impact-results").textContent`); !strings.Contains(got, try.says) {
				t.Errorf("the page says %q", got)
			}
			if coloured := eval[int](p, `document.querySelectorAll(".number.good, .number.bad").length`); coloured != 0 {
				t.Errorf("%d counts of none are coloured", coloured)
			}
			p.quiet()
		})
	}
}
