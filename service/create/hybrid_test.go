package create_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/sampled"
	"einvoice/service/extract"
	"einvoice/service/internal/kittest"
	"einvoice/service/transform"
	"einvoice/service/write"
)

// withDocument is an invoice that brings a document of its own.
var withDocument = map[string]any{
	"invoice.typeCode": "380",
	"invoice.supportingDocuments": []map[string]any{{
		"reference": "T-1", "description": "Timesheet", "attachment": "YSxiCg==", "attachmentMimeCode": "text/csv", "attachmentFileName": "timesheet.csv",
	}},
}

func with(changes map[string]any, more map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range []map[string]any{changes, more} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// TestHybridProfiles makes a PDF of each profile, and reads what is in it.
func TestHybridProfiles(t *testing.T) {
	for _, c := range []struct{ profile, id, file, relationship, left string }{
		{"", "urn:cen.eu:en16931:2017", "factur-x.xml", "Alternative", ""},
		{"en16931", "urn:cen.eu:en16931:2017", "factur-x.xml", "Alternative", ""},
		{"minimum", "urn:factur-x.eu:1p0:minimum", "factur-x.xml", "Data", "lines"},
		{"basicwl", "urn:factur-x.eu:1p0:basicwl", "factur-x.xml", "Data", "lines"},
		{"basic", "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic", "factur-x.xml", "Alternative", "supportingDocuments"},
		{"extended", "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended", "factur-x.xml", "Alternative", ""},
		{"xrechnung", "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0", "xrechnung.xml", "Alternative", ""},
	} {
		t.Run(c.profile, func(t *testing.T) {
			changes := with(withDocument, nil)
			if c.profile != "" {
				changes["options.profile"] = c.profile
			}
			made, err := makeOne(t, "zugferd", changes)
			if err != nil {
				t.Fatal(err)
			}
			if made.MediaType != "application/pdf" || made.FileName != "2026-0117.pdf" || !made.Report.Valid || made.Report.RulesRun == 0 {
				t.Errorf("got %s, %s, %+v", made.MediaType, made.FileName, made.Report)
			}
			told := slices.ContainsFunc(made.Losses, func(l formats.Loss) bool { return l.Field == c.left })
			if told != (c.left != "") || len(made.Losses) > 0 != told {
				t.Errorf("left out: %+v", made.Losses)
			}
			container, err := pdf.Open(made.Data, pdf.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, a := range container.Attachments {
				names = append(names, a.Name)
			}
			if len(names) != 2 || !slices.Contains(names, c.file) || !slices.Contains(names, "timesheet.csv") {
				t.Errorf("attached is %q", names)
			}
			invoice, err := container.Invoice()
			if err != nil {
				t.Fatal(err)
			}
			if invoice.Name != c.file || invoice.Relationship != c.relationship || invoice.MIME != "text/xml" || invoice.Places != pdf.InNameTree|pdf.InDocumentAF {
				t.Errorf("got %+v", invoice)
			}
			doc, err := formats.Read(made.Data, hybrid.Options())
			if err != nil {
				t.Fatal(err)
			}
			if doc.Invoice.SpecificationID.Raw != c.id {
				t.Errorf("BT-24 is %q", doc.Invoice.SpecificationID.Raw)
			}
			if lines := len(doc.Invoice.Lines); lines > 0 == (c.left == "lines") {
				t.Errorf("%d lines", lines)
			}
			again, err := makeOne(t, "facturx", changes)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again.Data, made.Data) {
				t.Error("the same request gives another PDF")
			}
		})
	}
}

// A document that readers would take for the invoice stays in the XML alone.
func TestHybridWithoutSecondInvoice(t *testing.T) {
	document := func(name, content string) map[string]any {
		return map[string]any{"reference": name, "attachment": content, "attachmentMimeCode": "text/csv", "attachmentFileName": name}
	}
	made, err := makeOne(t, "zugferd", map[string]any{"invoice.typeCode": "380", "invoice.supportingDocuments": []map[string]any{
		document("FACTUR-X.xml", "YQ=="), document("../xrechnung.xml", "YQ=="),
		document("other.csv", base64.StdEncoding.EncodeToString([]byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`))),
	}})
	if err != nil {
		t.Fatal(err)
	}
	container, err := pdf.Open(made.Data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(made.Data, hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	if len(container.Attachments) != 1 || len(doc.Invoice.SupportingDocuments) != 3 {
		t.Errorf("%d attachments, %d documents in the XML", len(container.Attachments), len(doc.Invoice.SupportingDocuments))
	}
}

// The date and the language are those asked for.
func TestHybridOptions(t *testing.T) {
	plain, err := makeOne(t, "zugferd", withDocument)
	if err != nil {
		t.Fatal(err)
	}
	german, err := makeOne(t, "zugferd", with(withDocument, map[string]any{"options.language": "de", "options.date": "2027-01-02"}))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(plain.Data, german.Data) || !bytes.Contains(german.Data, []byte("2027-01-02T00:00:00")) || bytes.Contains(plain.Data, []byte("2027-01-02")) {
		t.Error("the date is not in the metadata")
	}
	_, err = makeOne(t, "zugferd", with(withDocument, map[string]any{"options.language": "tlh"}))
	if wrong, ok := errors.AsType[*problem.Error](err); !ok || wrong.Field != "options.language" || !strings.Contains(err.Error(), "de") {
		t.Errorf("got %v", err)
	}
}

// What a profile has no place for may be why its rules are violated: the refusal
// says so.
func TestRefusedByProfile(t *testing.T) {
	_, err := makeOne(t, "zugferd", with(withDocument, map[string]any{
		"options.profile": "basic", "invoice.totals": map[string]any{"roundingAmount": "0.05"},
	}))
	finding(t, err, "BR-CO-16")
	refused, _ := errors.AsType[*write.Refused](err)
	if !slices.ContainsFunc(refused.Losses, func(l formats.Loss) bool { return l.BTCode == "BT-114" && l.Value == "0.05" }) {
		t.Errorf("got losses %+v", refused.Losses)
	}
}

// Every term of a document is in the XML of a profile, or told to be left out.
func TestProfilesAccountForEveryTerm(t *testing.T) {
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	creator := kittest.Kit(t)
	for _, profile := range []string{"minimum", "basicwl", "basic", "en16931", "extended"} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			made, kept, left := 0, 0, 0
			err := eachXML(filepath.Join(suites, "xrechnung-testsuite"), func(file string, data []byte) error {
				doc, err := formats.Read(data, formats.Options{})
				if err != nil {
					return err
				}
				before := leaves(model.ObjectOf(doc.Invoice), "")
				carrier, err := transform.Document(context.Background(), creator.Pages, "zugferd", doc, transform.Options{Options: write.Options{Profile: model.NewText(profile)}})
				if err != nil {
					return err
				}
				if !carrier.Report.Valid {
					return nil
				}
				made++
				after, err := formats.Read(carrier.Data, hybrid.Options())
				if err != nil {
					return err
				}
				there := leaves(model.ObjectOf(after.Invoice), "")
				for path := range before {
					if _, ok := there[path]; ok {
						kept++
						continue
					}
					left++
					if !slices.ContainsFunc(carrier.Losses, func(l formats.Loss) bool { return l.Field == path || strings.HasPrefix(path, l.Field+"[") }) {
						t.Errorf("%s: nobody tells that %s is missing", file, path)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d documents: %d terms kept, %d left out", made, kept, left)
			if made < sampled.Of(50, 5) || kept == 0 || profile != "extended" && left == 0 {
				t.Errorf("%d documents, %d terms kept, %d left out", made, kept, left)
			}
		})
	}
}

// eachXML visits a sample of the documents of a folder, or all.
func eachXML(folder string, visit func(file string, data []byte) error) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
	if err != nil {
		return err
	}
	for i, file := range files {
		if !sampled.Takes(i, 4) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := visit(filepath.Base(file), data); err != nil {
			return err
		}
	}
	return nil
}

// leaves are the terms of a group by their paths.
func leaves(o model.Object, path string) map[string]string {
	all := map[string]string{}
	var visit func(model.Object, string)
	visit = func(o model.Object, path string) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			path := model.Join(path, f.Name)
			switch {
			case !o.Has(f):
			case f.Kind == model.KindGroup:
				visit(o.Group(f), path)
			case f.Kind == model.KindList:
				list := o.List(f)
				for i := range list.Len() {
					visit(list.At(i), fmt.Sprintf("%s[%d]", path, i))
				}
			default:
				all[path] = o.Raw(f)
			}
		}
	}
	visit(o, path)
	return all
}

// A supporting document is in the XML and attached to the PDF; who takes all documents out
// gets it once.
func TestAttachmentOnce(t *testing.T) {
	made, err := makeOne(t, "zugferd", map[string]any{"invoice.supportingDocuments": []map[string]any{
		{"reference": "A", "attachmentFileName": "hours.csv", "attachmentMimeCode": "text/csv", "attachment": "YTtiCg=="},
	}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := extract.Attachments(context.Background(), kittest.Kit(t).Service, made.Data)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := zip.NewReader(bytes.NewReader(found.Data), int64(len(found.Data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range zip.File {
		names = append(names, f.Name)
	}
	if want := []string{"manifest.json", "factur-x.xml", "hours.csv"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	manifest, err := zip.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(manifest)
	if err != nil || !strings.Contains(string(text), `"field": "supportingDocuments[0].attachment"`) {
		t.Errorf("%v in %s", err, text)
	}
}
