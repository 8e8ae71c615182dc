//go:build browser

package app_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/server"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var (
	pictures = flag.String("pictures", "", "folder for the pictures of the documentation")
	program  = flag.String("binary", "", "the program whose report is pictured")
)

// largestPicture is how many bytes a picture of the documentation may have.
const largestPicture = 150_000

// TestPictures makes the pictures of the documentation: a report in a terminal, the same
// invoice in the workbench, the impact of a draft on past invoices, and the report of a job
// over them.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("skipped: no folder was named (-pictures), so no pictures were made")
	}
	if err := os.MkdirAll(*pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	past := invoices(t)
	p := open(t, func(c *server.Config) { c.Archive = past }, 1280, 800)
	p.sample()
	p.run(chromedp.Evaluate(`document.querySelectorAll(".finding")[4].click()`, nil))
	p.wait(`document.querySelector("rule-card .parts")`)
	p.picture("workbench.png", 1280, 800)

	p.view("rules")
	p.part("draft")
	p.clickText("Start from an example")
	p.wait(`document.querySelector(".draft-results .chip.good")`)
	p.view("impact")
	p.click("#server-archive")
	p.wait(`document.querySelector(".change") && !document.querySelector("progress")`)
	p.clickText("By supplier")
	p.picture("impact.png", 1280, 800)

	// The program prints in colour to a terminal, which script(1) is.
	command := fmt.Sprintf("%s validate ../../cmd/einvoice/samples/ubl-faulty.xml", *program)
	out, err := exec.Command("script", "-qec", command, os.DevNull).CombinedOutput()
	if len(out) == 0 {
		t.Fatalf("%s: %v", command, err)
	}
	shown := "$ einvoice validate invoice.xml\n\n" + strings.ReplaceAll(strings.ReplaceAll(string(out), "\r", ""), "../../cmd/einvoice/samples/ubl-faulty.xml", "invoice.xml")
	page := `<!doctype html><style>body{margin:0;background:#1d2127;color:#d8dee6;font:15px/1.45 "DejaVu Sans Mono","Liberation Mono",monospace;padding:20px 24px}pre{margin:0;font:inherit}b{color:#fff}</style><pre>` + coloured(strings.Join(strings.Split(shown, "\n")[:36], "\n")) + "</pre>"
	p.shows(page)
	p.picture("terminal.png", 1000, 800)
	p.shows(reportOfJob(t, past))
	p.picture("bulk-report.png", 1000, 800)
}

// shows opens a page of HTML.
func (p *tab) shows(page string) {
	p.Helper()
	p.run(emulation.SetDeviceMetricsOverride(1000, 800, 1, false), chromedp.Navigate("about:blank"),
		chromedp.ActionFunc(func(ctx context.Context) error {
			frames, err := cdppage.GetFrameTree().Do(ctx)
			if err != nil {
				return err
			}
			return cdppage.SetDocumentContent(frames.Frame.ID, page).Do(ctx)
		}))
}

// invoices is a folder with 120 invoices of three sellers in four months.
func invoices(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "invoices")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 120 {
		sample := []string{"ubl-valid.xml", "ubl-valid.xml", "ubl-valid.xml", "ubl-faulty.xml"}[i%4]
		data, err := os.ReadFile(filepath.Join("../../cmd/einvoice/samples", sample))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "Example Seller Ltd", []string{"Lindner Software GmbH", "Muster AG", "Voorbeeld BV"}[i%3])
		text = strings.Replace(text, "INV-2026-001", fmt.Sprintf("INV-2026-%03d", i), 1)
		text = strings.Replace(text, "<cbc:IssueDate>2026-11-20", fmt.Sprintf("<cbc:IssueDate>2026-%02d-20", 8+i%7%4), 1)
		if i%3 == 1 || i%3 == 2 && i%4 < 3 { // all of one seller, and most of another, follow the draft
			text = strings.Replace(text, "<cac:BillingReference>", "<cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference><cac:BillingReference>", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.xml", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// reportOfJob is the report, as HTML, of a job over the invoices of a folder.
func reportOfJob(t *testing.T, in string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "results")
	_ = exec.Command(*program, "bulk", "run", "validate", "--in", in, "--out", out).Run() // some are invalid, which is 1
	report, err := exec.Command(*program, "bulk", "report", out).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(filepath.Dir(in)+"/", "", filepath.Dir(out)+"/", "").Replace(string(report))
}

// picture writes what the window shows.
func (p *tab) picture(name string, width, height int64) {
	p.Helper()
	var data []byte
	p.run(emulation.SetDeviceMetricsOverride(width, height, 1, false), chromedp.CaptureScreenshot(&data))
	data = inFewColours(p, data)
	if len(data) > largestPicture {
		p.Errorf("%s has %d bytes, more than %d", name, len(data), largestPicture)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), data, 0o600); err != nil {
		p.Fatal(err)
	}
}

// inFewColours is a picture in PNG with its 256 commonest colours.
func inFewColours(t testing.TB, data []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	coarse := func(c color.Color) color.Color {
		r, g, b, _ := c.RGBA()
		const low = 0xF
		return color.RGBA{uint8(r>>8) &^ low, uint8(g>>8) &^ low, uint8(b>>8) &^ low, 255}
	}
	exact := map[color.Color]map[color.Color]int{} // by the coarse colour
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			c := from.At(x, y)
			of := coarse(c)
			counts[of]++
			if exact[of] == nil {
				exact[of] = map[color.Color]int{}
			}
			exact[of][c]++
		}
	}
	commonest := func(counts map[color.Color]int) []color.Color {
		return slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
		})
	}
	var palette color.Palette
	for _, of := range commonest(counts) {
		if palette = append(palette, commonest(exact[of])[0]); len(palette) == 256 {
			break
		}
	}
	to := image.NewPaletted(from.Bounds(), palette)
	draw.Draw(to, to.Rect, from, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// style matches what sets the style of the text after it in a terminal.
var style = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// coloured is a text for a terminal as HTML.
func coloured(text string) string {
	colours := map[string]string{"1;31": "#ff7b72", "1;32": "#7ee787", "1;33": "#e3b341", "1;34": "#79c0ff", "1": "#ffffff", "2": "#8b949e"}
	var b strings.Builder
	open := false
	at := 0
	for _, m := range style.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		if open {
			b.WriteString("</span>")
		}
		colour, known := colours[text[m[2]:m[3]]]
		if open = known; known {
			fmt.Fprintf(&b, `<span style="color:%s">`, colour)
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String()
}
