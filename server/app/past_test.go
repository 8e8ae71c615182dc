package app_test

import (
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
