//go:build browser

package app_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"einvoice/service/workbench"

	"github.com/chromedp/chromedp"
)

// zipped is a ZIP of files.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// What has no finding says so where the card of a rule would be, and what cannot be read where
// its page would be.
func TestNothingToSelect(t *testing.T) {
	p := open(t, nil, 1720, 1000)
	p.drop(map[string]string{"valid.xml": valid(t)})
	p.wait(`document.querySelector(".badge.valid") && document.querySelector(".pane-card").textContent === "The invoice violates no rule."`)
	p.drop(map[string]string{"broken.xml": "<Invoice"})
	p.wait(`document.querySelector(".badge.unread") && document.querySelector(".pane-card").textContent === "No rule was run, because the document cannot be read."`)
	p.wait(page + `.querySelector(".sheet").textContent.includes("The document ends within a tag. Send the whole document.")`)
	p.drop(map[string]string{"a.xml": string(workbench.Sample)})
	p.wait(page + `.querySelector("[data-path]") && document.querySelector("rule-card .card-id")`)
	p.quiet()
}

// Impact takes the documents of a ZIP, names what it does not compare, and says where none of
// the files is an invoice.
func TestImpactOfFiles(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.view("impact")
	p.click("#write-draft")
	p.click("#open-example")
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	p.view("impact")
	p.dropBytes("all.zip", zipped(t, map[string]string{"in/a.xml": string(workbench.Sample), "b.xml": string(workbench.Sample), "notes.txt": "x"}))
	p.wait(`document.querySelectorAll(".change").length === 2 && document.querySelector(".note:not([hidden])")?.textContent.includes("Not opened: notes.txt")`)
	p.clickText("After")
	p.wait(`!document.querySelector("check-view").hidden && document.querySelectorAll(".finding").length > 0`)
	p.view("impact")
	p.drop(map[string]string{"letter.txt": "x"})
	p.wait(`document.querySelector(".impact-results").textContent === "None of these files is an invoice."`)
	p.dropBytes("bad.zip", []byte("PK\x03\x04 and no more"))
	p.wait(`document.querySelector(".note:not([hidden])")?.textContent.includes("bad.zip")`)
	p.quiet()
}

// What is dropped on a view that opens nothing is checked; a file of rules becomes a draft where
// rules are looked at.
func TestDroppedOnOtherViews(t *testing.T) {
	p := open(t, nil, 1280, 900)
	p.view("jobs")
	p.drop(map[string]string{"a.xml": string(workbench.Sample)})
	p.wait(`location.hash === "#check" && !document.querySelector("check-view").hidden && document.querySelectorAll(".finding").length === 5`)
	p.view("rules")
	p.drop(map[string]string{"mine.yaml": trialOverlay})
	p.wait(draftEditor + `?.text.includes("overlay: trial")`)
	p.drop(map[string]string{"valid.xml": valid(t)})
	p.wait(`!document.querySelector("check-view").hidden && document.querySelector(".badge.valid")`)
	p.view("parse")
	p.run(chromedp.Evaluate(`fetch("/docs/examples/invoice.pdf").then((answer) => answer.blob()).then((blob) => {
		const data = new DataTransfer();
		for (const name of ["one.pdf", "two.pdf"]) data.items.add(new File([blob], name));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	})`, nil))
	p.wait(`document.querySelector(".note:not([hidden])")?.textContent.includes("Not opened: two.pdf") && document.querySelectorAll(".value-row").length > 10`)
	p.quiet()
}
