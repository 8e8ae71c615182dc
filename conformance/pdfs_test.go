package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/tongue"
	"einvoice/rulesets"
	"einvoice/service/create"
	"einvoice/service/embed"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/write"
)

// pdfs is the folder that TestWritePDFs writes to, for veraPDF and other validators, which
// have to be installed.
var pdfs = flag.String("pdfs", "", "folder to write PDFs of all suite documents to")

// pdfsEvery makes those of a sample of each suite.
var pdfsEvery = flag.Int("pdfs-every", 1, "make the PDFs of each document of which this is the number, by suite")

// TestWritePDFs makes every kind of PDF of every document of the suites, each kind in a
// folder of its own. Documents that are not valid in a profile are rendered only.
func TestWritePDFs(t *testing.T) {
	if *pdfs == "" {
		t.Skip("no folder is given with -pdfs")
	}
	root := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	p := &pdfWriter{T: t, creator: operation.New(library, operation.Config{}), made: map[string]int{}, refused: map[string]int{}}
	bySuite := map[string]int{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		suite, _ := filepath.Rel(root, filepath.Dir(path))
		if bySuite[suite]++; (bySuite[suite]-1)%*pdfsEvery != 0 {
			return nil
		}
		p.documents++
		return p.all(strings.ReplaceAll(suite, string(filepath.Separator), "-")+"--"+strings.TrimSuffix(d.Name(), ".xml"), data)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents; made %v; refused %v", p.documents, p.made, p.refused)
	least := func(kind string, n int) bool { return p.made[kind] >= n / *pdfsEvery }
	if !least("render", 3000) || !least("create", 1000) || !least("transform", 1000) || !least("embed", 200) {
		t.Errorf("only %v were made; is the folder complete?", p.made)
	}
}

type pdfWriter struct {
	*testing.T
	creator   *operation.Kit
	documents int
	made      map[string]int
	refused   map[string]int
}

// profiles are those of zugferd and facturx.
var profiles = []string{"en16931", "minimum", "basicwl", "basic", "extended", "xrechnung"}

func (p *pdfWriter) all(name string, data []byte) error {
	read := func() *model.Document {
		doc, err := formats.Read(data, hybrid.Options())
		if err != nil {
			return nil
		}
		return doc
	}
	doc := read()
	if doc == nil {
		p.refused["unreadable"]++
		return nil
	}
	languages := tongue.Tags()
	language := languages[p.documents%len(languages)]
	pages, err := page.PDF(context.Background(), doc.Invoice, page.Options{Language: language})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := p.write("render", name, pages.Data); err != nil {
		return err
	}
	if err := p.embed(name, doc, data, pages.Data); err != nil {
		return err
	}
	options := write.Options{Language: model.NewText(language), Profile: model.NewText(profiles[p.documents%len(profiles)])}
	made, err := transform.Document(context.Background(), p.creator.Pages, "zugferd", doc, transform.Options{Options: options})
	if err := p.save("transform", name, made, err); err != nil {
		return err
	}
	request := &create.Request{Options: &options}
	text, err := json.Marshal(read().Invoice)
	if err != nil {
		return err
	}
	if request.Invoice, err = invoiceOf(text); err != nil { // a value may not be of its type
		p.refused["create"]++
		return nil
	}
	made, err = create.Document(context.Background(), p.creator.Pages, "facturx", request)
	return p.save("create", name, made, err)
}

// embed attaches a document to the pages that show it.
func (p *pdfWriter) embed(name string, doc *model.Document, data, pages []byte) error {
	if doc.Syntax != model.CII {
		return nil
	}
	made, err := embed.Document(context.Background(), p.creator.Service, pages, data, embed.Options{})
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == embed.CodeNotEmbeddable {
		p.refused["embed"]++
		return nil
	}
	return p.save("embed", name, made, err)
}

func invoiceOf(text []byte) (*model.Invoice, error) {
	r, err := create.ReadRequest(context.Background(), append(append([]byte(`{"invoice": `), text...), '}'))
	if err != nil {
		return nil, err
	}
	return r.Invoice, nil
}

func (p *pdfWriter) save(operation, name string, made *write.Made, err error) error {
	if _, refused := errors.AsType[*write.Refused](err); refused || err == nil && !made.Report.Valid {
		p.refused[operation]++
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", operation, name, err)
	}
	if !bytes.HasPrefix(made.Data, []byte("%PDF-1.7")) {
		p.Errorf("%s: %s is not a PDF", operation, name)
	}
	return p.write(operation, name, made.Data)
}

func (p *pdfWriter) write(operation, name string, data []byte) error {
	p.made[operation]++
	folder := filepath.Join(*pdfs, operation)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".pdf"), data, 0o600)
}
