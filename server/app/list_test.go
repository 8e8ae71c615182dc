//go:build browser

package app_test

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/service/workbench"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// hostileName is one that a table program would take for a formula.
const hostileName = `=1+cmd|'x'!A1.xml`

// openList drops a valid document, one with five faults and a hostile name, and one that cannot be read.
func openList(t *testing.T) *tab {
	t.Helper()
	p := open(t, nil, 1280, 900)
	p.drop(map[string]string{"good.xml": valid(t), hostileName: string(workbench.Sample), "broken.xml": "<Invoice"})
	p.wait(`document.querySelectorAll(".file").length === 3 && !document.querySelector(".file .dot.waiting")`)
	return p
}

// sheetRows are the texts of the cells of a sheet, and the columns of which the cells are numbers.
func sheetRows(t *testing.T, file string) (rows [][]string, formulas int) {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	part := func(name string, into any) {
		t.Helper()
		f, err := z.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var shared struct {
		Texts []string `xml:"si>t"`
	}
	part("xl/sharedStrings.xml", &shared)
	var sheet struct {
		Rows []struct {
			Cells []struct {
				At      string  `xml:"r,attr"`
				Kind    string  `xml:"t,attr"`
				Value   string  `xml:"v"`
				Formula *string `xml:"f"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	part("xl/worksheets/sheet1.xml", &sheet)
	for _, row := range sheet.Rows {
		cells := make([]string, 10)
		for _, c := range row.Cells {
			if c.Formula != nil {
				formulas++
			}
			if c.Kind == "s" {
				var n int
				if _, err := fmt.Sscan(c.Value, &n); err != nil || n >= len(shared.Texts) {
					t.Fatalf("cell %s has the text %q of %d", c.At, c.Value, len(shared.Texts))
				}
				c.Value = shared.Texts[n]
			}
			cells[c.At[0]-'A'] = c.Value
		}
		rows = append(rows, cells)
	}
	return rows, formulas
}

// What saves the list is in sight, however many documents there are: nothing lies over it.
func TestListCanBeSavedOfMany(t *testing.T) {
	p := open(t, nil, 1280, 720)
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("%d.xml", i)] = valid(t)
	}
	p.drop(files)
	p.wait(`document.querySelectorAll(".file").length === 12`)
	p.wait(`(buttons => buttons.length === 3 && buttons.every(b => {
		const at = b.getBoundingClientRect();
		return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === b;
	}))([...document.querySelectorAll(".save-list button")])`)
	p.wait(`document.querySelector(".file-list").clientHeight >= document.querySelector(".file").offsetHeight`)
}

// The list is saved for table programs and printed, each with what the search finds and nothing else.
// No name becomes a formula.
func TestListIsSaved(t *testing.T) {
	p := openList(t)
	dir := t.TempDir()
	p.saveTo(dir)
	p.clickText("CSV")
	text := waitFor(t, filepath.Join(dir, "findings.csv"))
	table, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != 1+5+1+1 { // titles, findings, what cannot be read, what has no finding
		t.Errorf("the CSV has %d rows: %v", len(table), table)
	}
	for _, row := range table {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	p.clickText("XLSX")
	waitFor(t, filepath.Join(dir, "findings.xlsx"))
	rows, formulas := sheetRows(t, filepath.Join(dir, "findings.xlsx"))
	if formulas > 0 || len(rows) != len(table) {
		t.Fatalf("the sheet has %d rows and %d formulas", len(rows), formulas)
	}
	for i, row := range rows {
		want := slices.Clone(table[i])
		want[0] = strings.TrimPrefix(want[0], "'")
		if i > 0 && want[4] != "" { // a day is the number of a day
			if want[4] = row[4]; !strings.HasPrefix(row[4], "4") {
				t.Errorf("the day is %q", row[4])
			}
		}
		if !slices.Equal(row, want) {
			t.Errorf("row %d is %q, in CSV %q", i, row, want)
		}
	}
	p.quiet()
}

// Of the list is printed what the search finds: all documents, then the report of each with findings.
func TestListIsPrinted(t *testing.T) {
	p := openList(t)
	prints := func() string {
		t.Helper()
		p.run(chromedp.Evaluate(`window.print = () => dispatchEvent(new Event("beforeprint"))`, nil))
		p.run(chromedp.Evaluate(`document.querySelector(".printed").replaceChildren()`, nil))
		p.clickText("Print or PDF")
		p.wait(`document.querySelector(".printed h1")`)
		p.run(emulation.SetEmulatedMedia().WithMedia("print"))
		text := eval[string](p, `document.body.innerText`)
		var pdf []byte
		p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = cdppage.PrintToPDF().Do(ctx)
			return err
		}), emulation.SetEmulatedMedia().WithMedia("screen"))
		if len(pdf) < 5000 {
			t.Errorf("the PDF has %d bytes", len(pdf))
		}
		return text
	}
	all := prints()
	for _, want := range []string{"Documents (3)", "good.xml", hostileName, "broken.xml", "BR-CL-14", "BR-CO-09", "BR-07", "BR-CO-16", "BR-CL-23"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not printed: %.3000s", want, all)
		}
	}
	p.run(chromedp.SendKeys(".files input[type=search]", "broken", chromedp.ByQuery))
	p.wait(`document.querySelectorAll(".file").length <= 2`)
	if few := prints(); strings.Contains(few, "good.xml") || strings.Contains(few, "BR-CL-14") || !strings.Contains(few, "broken.xml") {
		t.Errorf("with a search is printed: %.3000s", few)
	}
	p.run(chromedp.Evaluate(`dispatchEvent(new Event("afterprint")); dispatchEvent(new Event("beforeprint"))`, nil))
	if eval[bool](p, `document.querySelector(".printed").textContent.includes("Documents (")`) {
		t.Error("the print of one document is that of the list")
	}
	p.quiet()
}

// Undo leads through the edits of the document that is open, and never into another one or to an
// empty one.
func TestUndoKeepsToTheDocument(t *testing.T) {
	p := openList(t)
	undo := func() {
		t.Helper()
		p.run(chromedp.Evaluate(editor+`.focus()`, nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)), chromedp.Sleep(settle/2))
	}
	for i := range 3 {
		p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".file")[%d].click()`, i), nil))
		p.wait(fmt.Sprintf(`document.querySelectorAll(".file")[%d].getAttribute("aria-current") === "true" && !document.querySelector("[aria-busy]") && %s.text`, i, editor))
		p.run(chromedp.Sleep(settle / 2))
		before := eval[string](p, editor+`.text`)
		undo()
		if after := eval[string](p, editor+`.text`); after != before {
			t.Errorf("document %d is %.60q after an undo, and was %.60q", i, after, before)
		}
	}
}

// An invoice in JSON that is not one yet has a row for each of its mistakes, however many there are.
func TestListHasMistakesOfJSON(t *testing.T) {
	p := open(t, nil, 1280, 900)
	files, want := map[string]string{}, 1
	for n := range 6 {
		var members strings.Builder
		for i := range n + 1 {
			fmt.Fprintf(&members, `, "unknown%d": %d`, i, i)
		}
		files[fmt.Sprintf("%d.json", n)] = `{"invoice": {"number": "1"` + members.String() + `}}`
		want += n + 1
	}
	p.drop(files)
	p.wait(`document.querySelectorAll(".file").length === 6 && !document.querySelector(".file .dot.waiting")`)
	dir := t.TempDir()
	p.saveTo(dir)
	p.clickText("CSV")
	table, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(waitFor(t, filepath.Join(dir, "findings.csv")), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != want {
		t.Errorf("the CSV has %d rows, want %d: %v", len(table), want, table)
	}
	p.quiet()
}
