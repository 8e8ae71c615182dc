package bundle_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/bundle"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model"
	"einvoice/model/problem"
)

const suites = "../../../shared/suites"

// invoice is a CII invoice with documents inside: file name, MIME type, base64.
func invoice(documents ...[3]string) string {
	var b strings.Builder
	b.WriteString(`<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100">
<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement>`)
	for i, d := range documents {
		fmt.Fprintf(&b, `<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>REF-%d</ram:IssuerAssignedID><ram:TypeCode>916</ram:TypeCode>
<ram:AttachmentBinaryObject filename="%s" mimeCode="%s">%s</ram:AttachmentBinaryObject></ram:AdditionalReferencedDocument>`, i+1, d[0], d[1], d[2])
	}
	b.WriteString(`</ram:ApplicableHeaderTradeAgreement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`)
	return b.String()
}

func ExampleOf() {
	xml := invoice([3]string{"time sheet.csv", "text/csv", "YTtiCg=="})
	b, err := bundle.Of(pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: []byte(xml)}), hybrid.Options())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range b.Files {
		fmt.Println(f.Name, f.Source, f.Size > 0)
	}
	// Output:
	// factur-x.xml pdf true
	// time sheet.csv invoice true
}

// contents reads the ZIP of a bundle, and checks the properties that every ZIP has.
func contents(t *testing.T, b *bundle.Bundle) (files map[string]string, manifest bundle.Bundle) {
	t.Helper()
	var first, second bytes.Buffer
	if err := errors.Join(b.WriteZIP(&first), b.WriteZIP(&second)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same bundle makes different ZIPs")
	}
	z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name != path.Base(f.Name) || strings.ContainsAny(f.Name, `\:`) || strings.HasPrefix(f.Name, ".") || !f.Mode().IsRegular() {
			t.Errorf("%q is not a name of a plain file", f.Name)
		}
		if _, again := files[strings.ToLower(f.Name)]; again {
			t.Errorf("%q is there twice", f.Name)
		}
		files[strings.ToLower(f.Name)] = string(text)
	}
	if err := json.Unmarshal([]byte(files["manifest.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Files) != len(files)-1 || len(manifest.Files) != len(b.Files) {
		t.Errorf("the manifest names %d of %d files", len(manifest.Files), len(files)-1)
	}
	return files, manifest
}

func TestZIP(t *testing.T) {
	xml := invoice([3]string{"a.pdf", "application/pdf", "JVBE\nRg=="}, [3]string{"bad.png", "image/png", "!"}, [3]string{"", "text/csv", "MTsy"})
	b, err := bundle.Of(pdftest.Hybrid(
		pdftest.File{Name: "factur-x.xml", Data: []byte(xml), Relationship: "Alternative", MIME: "text/xml", Params: "/ModDate (D:20260203040506Z)"},
		pdftest.File{Name: "A.pdf", Data: []byte("%PDF-other"), Description: "terms"},
	), hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	files, manifest := contents(t, b)
	for name, want := range map[string]string{
		"factur-x.xml": xml, "a.pdf": "%PDF-other", "a-2.pdf": "%PDF", "ref-3.csv": "1;2",
	} {
		if files[name] != want {
			t.Errorf("%s is %q, want %q", name, files[name], want)
		}
	}
	if f := manifest.Files[0]; !f.Invoice || f.Source != bundle.FromPDF || f.Relationship != "Alternative" || f.MIMEType != "text/xml" ||
		f.Modified.Year() != 2026 || f.Size != len(xml) || len(f.SHA256) != 64 {
		t.Errorf("the invoice is described as %+v", f)
	}
	if f := manifest.Files[2]; f.Invoice || f.Name != "a-2.pdf" || f.OriginalName != "a.pdf" || f.Source != bundle.FromInvoice ||
		f.Field != "supportingDocuments[0].attachment" || f.Reference != "REF-1" {
		t.Errorf("the document inside the invoice is described as %+v", f)
	}
	if len(manifest.Problems) != 1 || manifest.Problems[0].Code != bundle.CodeNotBase64 || manifest.Problems[0].Field != "supportingDocuments[1].attachment" {
		t.Errorf("the problems are %+v", manifest.Problems)
	}
}

// The files are collected even if the invoice cannot be read.
func TestProblems(t *testing.T) {
	many := pdf.Limits{Decoded: 5000}
	for _, c := range []struct {
		name    string
		files   []pdftest.File
		options formats.Options
		names   string
		code    string
	}{
		{"no invoice", []pdftest.File{{Name: "a.txt"}}, hybrid.Options(), "a.txt", pdf.CodeNoInvoice},
		{"several", []pdftest.File{{Name: "factur-x.xml", Data: []byte("<a/>")}, {Name: "xrechnung.xml"}}, hybrid.Options(), "factur-x.xml xrechnung.xml", pdf.CodeSeveralInvoices},
		{"unreadable", []pdftest.File{{Name: "factur-x.xml", Data: []byte("<a>")}}, hybrid.Options(), "factur-x.xml", "XML-SYNTAX"},
		{"too large", []pdftest.File{{Name: "factur-x.xml", Data: []byte(invoice())}, {Name: "a", Data: make([]byte, 6000)}}, formats.Options{OpenPDF: hybrid.Opener(many)}, "factur-x.xml", pdf.CodeLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := bundle.Of(pdftest.Hybrid(c.files...), c.options)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range b.Files {
				names = append(names, f.Name)
			}
			if strings.Join(names, " ") != c.names {
				t.Errorf("the files are %v", names)
			}
			if len(b.Problems) != 1 || b.Problems[0].Code != c.code || b.Problems[0].Message == "" {
				t.Errorf("the problems are %+v", b.Problems)
			}
		})
	}
}

func TestOfRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"nothing attached": {pdftest.Hybrid(), pdf.CodeNoAttachment},
		"damaged":          {[]byte("%PDF-1.7"), pdf.CodeDamaged},
		"no invoice":       {[]byte("<a/>"), formats.CodeUnknown},
	} {
		_, err := bundle.Of(c.data, hybrid.Options())
		if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != c.code {
			t.Errorf("%s: got %v, want %s", name, err, c.code)
		}
	}
}

// A document whose name was made safe when it was attached is the one inside the invoice, as it is in the PDFs of create.
func TestAttachedUnderASafeName(t *testing.T) {
	xml := invoice([3]string{"plan", "text/csv", "YTtiCg=="}, [3]string{"../hours.csv", "text/csv", "YTtiCg=="})
	b, err := bundle.Of(pdftest.Hybrid(
		pdftest.File{Name: "factur-x.xml", Data: []byte(xml)},
		pdftest.File{Name: "plan.csv", Data: []byte("a;b\n")},
		pdftest.File{Name: "hours.csv", Data: []byte("a;b\n")},
	), hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	if files, _ := contents(t, b); len(files) != 4 {
		t.Errorf("the ZIP has %v", slices.Sorted(maps.Keys(files)))
	}
}

func TestNames(t *testing.T) {
	for original, want := range map[string]string{
		"../../etc/passwd":       "passwd.pdf",
		`C:\Windows\a.exe`:       "a.exe",
		"/":                      "attachment.pdf",
		"..":                     "attachment.pdf",
		".bashrc":                "bashrc.pdf",
		"-rf":                    "rf.pdf",
		"a\x00b\u202Efdp.exe":    "abfdp.exe",
		"con.txt":                "_con.txt",
		"COM1":                   "_COM1.pdf",
		"a:b|c?.txt":             "a_b_c_.txt",
		"trailing. ":             "trailing.pdf",
		"Manifest.JSON":          "Manifest-2.JSON",
		"Überweisung 1.pdf":      "Überweisung 1.pdf",
		"\xff\xfe.txt":           "txt.pdf",
		strings.Repeat("ü", 200): strings.Repeat("ü", 58) + ".pdf",
	} {
		if got := bundle.NameIn(bundle.Empty(), original, "application/pdf"); got != want {
			t.Errorf("%q is called %q, want %q", original, got, want)
		}
	}
}

// Every document of the suites is bundled, and the ZIP has all files byte by byte.
func TestSuites(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"zugferd-corpus/pdf/*.pdf", "xrechnung-testsuite/*.xml"} {
		found, err := filepath.Glob(filepath.Join(suites, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skipf("skipped: %s is not there", suites)
	}
	inside := 0
	for _, name := range paths {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Of(data, hybrid.Options())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		files, _ := contents(t, b)
		for i, f := range b.Files {
			if files[strings.ToLower(f.Name)] != string(f.Data) {
				t.Errorf("%s: file %d, %s, is not what was found", name, i, f.Name)
			}
			if f.Source == bundle.FromInvoice {
				inside++
			}
		}
		for _, p := range b.Problems {
			if !strings.Contains(name, "ZUGFeRDv1") || p.Code != formats.CodeOtherDocument {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	if inside < 3 {
		t.Errorf("only %d documents were found inside invoices", inside)
	}
}

// The documents of references in Factur-X EXTENDED come with the invoice as well.
func TestReferencesOfExtended(t *testing.T) {
	invoice := &model.Invoice{Lines: []model.Line{{References: &model.LineReferences{Additional: []model.Reference{{
		Identifier: model.NewText("TS-1"),
		ReferencedFile: model.ReferencedFile{
			Name: model.NewText("Time sheet"), Attachment: model.NewBinary([]byte("hours")),
			AttachmentMimeCode: model.NewText("text/csv"), AttachmentFileName: model.NewText("hours.csv"),
		},
	}}}}}}
	files := bundle.OfInvoice(invoice).Files
	if len(files) != 1 {
		t.Fatalf("got %+v", files)
	}
	f := files[0]
	if string(f.Data) != "hours" || f.Name != "hours.csv" || f.Field != "lines[0].references.additional[0].attachment" || f.Reference != "TS-1" || f.Description != "Time sheet" || f.MIMEType != "text/csv" {
		t.Errorf("got %+v", f)
	}
}
