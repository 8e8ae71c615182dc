package page_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/pdftest"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// sheet is a PDF of pages of A4 with a red bar across the top, and with entries of its
// catalog and its pages.
func sheet(pages int, catalog, entries string, objects ...string) []byte {
	w := &pdftest.Writer{}
	for _, o := range objects { // 1, 2 ...
		w.Add(o)
	}
	contents := w.Stream("", []byte("q 1 0 0 rg 0 800 595 40 re f Q\n"))
	tree := w.Next() + pages
	var kids strings.Builder
	for range pages {
		kids.WriteString(pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 595 842] /Resources << >> /Contents %s %s >>", pdftest.Ref(tree), pdftest.Ref(contents), entries))) + " ")
	}
	w.Add(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), pages))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(tree) + " " + catalog + " >>")
	return w.Close("/Root " + pdftest.Ref(root))
}

func withPaper(t *testing.T, paper []byte, more string) (*look.Look, error) {
	t.Helper()
	return page.ReadLook(fstest.MapFS{
		"look.yaml": {Data: []byte("{name: a, based: general, paper: {first: paper.pdf" + more + "}}")},
		"paper.pdf": {Data: paper}, "other.pdf": {Data: sheet(1, "", "")}, "two.pdf": {Data: sheet(2, "", "")},
	}, "look.yaml")
}

func encrypted(t *testing.T, user string) []byte {
	t.Helper()
	var b bytes.Buffer
	err := api.Encrypt(bytes.NewReader(sheet(1, "", "")), &b, &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Eol: "\n", Limits: model.DefaultResourceLimits(),
		UserPW: user, OwnerPW: "owner", EncryptUsingAES: true, EncryptKeyLength: 256, Permissions: model.PermissionsNone,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Of hostile letter paper nothing but what its page shows is used, or it is refused with the
// reason.
func TestHostilePaper(t *testing.T) {
	const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>"
	file := fmt.Sprintf("/Names << /EmbeddedFiles << /Names [(a.exe) << /Type /Filespec /F (a.exe) /EF << /F %s >> >>] >> >>", pdftest.Ref(1))
	stream := "<< /Type /EmbeddedFile /Length 2 >>\nstream\nMZ\nendstream"
	for name, data := range map[string][]byte{
		"JavaScript":            sheet(1, "/OpenAction "+script+" /Names << /JavaScript << /Names [(a) "+script+"] >> >>", "/AA << /O "+script+" >>"),
		"attachments":           sheet(1, file+" /AF [<< /Type /Filespec /F (a.exe) >>]", "", stream),
		"a link":                sheet(1, "", "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://hostile.example) >> >>]"),
		"an open encryption":    encrypted(t, ""),
		"two pages":             sheet(2, "", ""),
		"tags and a bad number": sheet(1, "/MarkInfo << /Marked true >> /StructTreeRoot << /Type /StructTreeRoot /K [] >>", "/StructParents 7"),
	} {
		look, err := withPaper(t, data, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := printed(t, small(t, 60), page.Options{Language: "en", Look: look})
		if err := archive.Conforms(r.Data, pdf.Limits{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := uncompressed(t, r.Data)
		for _, bad := range []string{"JavaScript", "app.alert", "a.exe", "EmbeddedFile", "hostile.example", "/Encrypt", "/Annot"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the pages have %q", name, bad)
			}
		}
		if !strings.Contains(text, "/Paper0 Do") || strings.Contains(text, "/Paper1 Do") != (name == "two pages") {
			t.Errorf("%s: paper is not under the pages that it is for", name)
		}
	}
	for name, c := range map[string]struct {
		data       []byte
		more, want string
	}{
		"XFA":                   {sheet(1, "/AcroForm << /XFA (<xdp/>) /Fields [] >>", ""), "", "XFA"},
		"a password":            {encrypted(t, "secret"), "", "password"},
		"a thousand pages":      {sheet(1000, "", ""), "", "has 1000 pages"},
		"no page":               {sheet(0, "", ""), "", "page"},
		"a second one twice":    {sheet(2, "", ""), ", following: other.pdf", "second page"},
		"two following pages":   {sheet(1, "", ""), ", following: two.pdf", "two.pdf"},
		"another size":          {bytes.Replace(sheet(1, "", ""), []byte("0 0 595 842"), []byte("0 0 842 595"), 1), "", "210 by 297"},
		"a turned page":         {sheet(1, "", "/Rotate 90"), "", "turned"},
		"a font that is absent": {sheet(1, "", "/Contents 2 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Nowhere >> >> >>", "null", "<< /Length 22 >>\nstream\nBT /F 9 Tf (A) Tj ET  \nendstream"), "", "Nowhere"},
	} {
		if _, err := withPaper(t, c.data, c.more); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
