package conformance_test

import (
	"context"
	"flag"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf/fontfiles"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/raster"
	"einvoice/model/tongue"
)

// lookPDFs is the folder that TestWriteLooks writes to, for veraPDF.
var lookPDFs = flag.String("look-pdfs", "", "folder to write the pages of suite documents to, in every look and language")

// ownLook has everything that a look can have.
const ownLook = `{name: own, based: din5008, colours: {accent: "#8A1538"}, fonts: {plain: plain.ttf, bold: bold.ttf},
logo: {file: logo.svg, x: 190, y: 12, width: 50, height: 20, right: true}, paper: {first: paper.pdf, following: paper.pdf},
before: {any: Thank you for your order.}, after: {any: Our terms of business apply.}}`

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#8a1538"/>` +
	`<path d="M10 20 C 15 5, 25 5, 30 20 S 25 35, 20 30" stroke="#fff" stroke-width="3" fill="none"/><rect x="48" y="12" width="68" height="7" fill="#333"/><rect x="48" y="24" width="44" height="5" fill="#999"/></svg>`

// letterPaper has bands at its edges and a watermark.
func letterPaper() []byte {
	w := &pdftest.Writer{}
	contents := w.Stream("", []byte("0.54 0.08 0.22 rg 0 822 595.28 19.89 re f 0 0 595.28 11 re f 0.975 0.965 0.97 rg 330 250 220 300 re f\n"))
	tree := w.Next() + 1
	sheet := w.Add("<< /Type /Page /Parent " + pdftest.Ref(tree) + " /MediaBox [0 0 595.28 841.89] /Resources << >> /Contents " + pdftest.Ref(contents) + " >>")
	w.Add("<< /Type /Pages /Kids [" + pdftest.Ref(sheet) + "] /Count 1 >>")
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(tree) + " >>")
	return w.Close("/Root " + pdftest.Ref(root))
}

// drawn is a picture of a page of a PDF.
func drawn(ctx context.Context, pdf []byte, page, dpi int) (image.Image, error) {
	document, err := raster.Open(ctx, pdf)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	return document.Picture(ctx, page, dpi)
}

// looks are the built-in looks, one with everything, and the same without letter paper, which
// HTML has not.
func looks(t *testing.T) map[string]*look.Look {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"own.yaml": []byte(ownLook), "html.yaml": []byte(strings.Replace(ownLook, ", paper: {first: paper.pdf, following: paper.pdf}", "", 1)), "logo.svg": []byte(logo), "plain.ttf": liberationserifregular.TTF, "bold.ttf": liberationserifbold.TTF, "paper.pdf": letterPaper(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own, err := page.ReadLook(os.DirFS(dir), "own.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := page.CheckLook(t.Context(), own, drawn); err != nil || len(faults) > 0 {
		t.Errorf("the look with everything is not good: %v, %q", err, faults)
	}
	html, err := page.ReadLook(os.DirFS(dir), "html.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*look.Look{"own": own, "html": html}
	for _, name := range look.Names() {
		if all[name], err = look.BuiltIn(name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestWriteLooks draws documents of the suites: those of the test suite of XRechnung and of
// the corpus of ZUGFeRD in each look and language by turns, four of each, all others once.
func TestWriteLooks(t *testing.T) {
	if *lookPDFs == "" {
		t.Skip("no folder is given with -look-pdfs")
	}
	root := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	all := looks(t)
	names, languages := append(look.Names(), "own"), tongue.Tags()
	fonts := typeset.NewFonts(fontfiles.System()...)
	made := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, hybrid.Options())
		if err != nil {
			return nil //nolint:nilerr // documents that are not invoices have no pages
		}
		times := 1
		if strings.Contains(path, "xrechnung-testsuite") || strings.Contains(path, "zugferd-corpus") {
			times = 4
		}
		for range times {
			name, language := names[made%len(names)], languages[made%len(languages)]
			r, err := page.PDF(t.Context(), doc.Invoice, page.Options{Language: language, Look: all[name], Fonts: fonts})
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			folder := filepath.Join(*lookPDFs, name)
			if err := os.MkdirAll(folder, 0o750); err != nil {
				return err
			}
			file := fmt.Sprintf("%05d-%s-%s.pdf", made, language, strings.TrimSuffix(d.Name(), ".xml"))
			if err := os.WriteFile(filepath.Join(folder, file), r.Data, 0o600); err != nil {
				return err
			}
			made++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if made < 3500 {
		t.Errorf("only %d PDFs were made; is the folder complete?", made)
	}
	t.Logf("%d PDFs", made)
}
