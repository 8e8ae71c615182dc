package inspect_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/inspect"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model"
	"einvoice/model/problem"
)

const (
	cii      = `<?xml version="1.0"?><a:CrossIndustryInvoice xmlns:a="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>`
	zugferd1 = `<a:CrossIndustryDocument xmlns:a="urn:ferd:CrossIndustryDocument:invoice:1p0"/>`
)

// describe opens a PDF of one page with these entries in its catalog and page.
func describe(t *testing.T, catalog, page string, add func(w *pdftest.Writer)) *inspect.Description {
	t.Helper()
	var w pdftest.Writer
	if add != nil {
		add(&w)
	}
	pages := w.Pages(1, page)
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %s %s >>", pdftest.Ref(pages), catalog))
	return described(t, w.Close("/Root "+pdftest.Ref(root)+" /ID [<00><00>]"))
}

func described(t *testing.T, data []byte) *inspect.Description {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	invoice, err := c.Invoice()
	if err != nil {
		invoice = nil
	}
	d, err := inspect.Container(t.Context(), c, invoice)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestActions(t *testing.T) {
	const script = "<< /S /JavaScript /JS (x) >>"
	for _, c := range []struct{ name, catalog, page, want string }{
		{"none", "", "", ""},
		{"a destination is none", "/OpenAction [0 /Fit]", "", ""},
		{"opening", "/OpenAction " + script, "", "JavaScript opening"},
		{"what follows", "/OpenAction << /S /GoTo /Next [<< /S /Launch >> << /S /Named /N /Print >>] >>", "", "GoTo opening, Launch opening, Named Print opening"},
		{"events of the document", "/AA << /WC " + script + " >>", "", "JavaScript document"},
		{"names", "/Names << /JavaScript << /Kids [<< /Names [(a) " + script + "] >>] >> >>", "", "JavaScript document"},
		{"a page", "", "/AA << /O << /S /Sound >> >>", "Sound page 1"},
		{"an annotation", "", "/Annots [<< /Subtype /Link /A << /S /URI /URI (x) >> >>]", "URI page 1"},
		{"a form", "/AcroForm << /Fields [<< /Kids [<< /AA << /K " + script + " >> >>] >>] >>", "", "JavaScript form"},
		{"an outline", "/Outlines 1 0 R", "", "Hide outline"},
		{"once for each place", "/OpenAction << /S /Launch /Next << /S /Launch >> >>", "", "Launch opening"},
		{"for ever", "/OpenAction 2 0 R", "", "GoTo opening"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := describe(t, c.catalog, c.page, func(w *pdftest.Writer) {
				w.Add("<< /First 3 0 R >>")
				w.Add("<< /S /GoTo /Next 2 0 R >>")
				w.Add("<< /A << /S /Hide >> /Next 3 0 R >>")
			})
			var got []string
			for _, a := range d.Actions {
				got = append(got, strings.Join(strings.Fields(a.Type.Raw+" "+a.Name.Raw+" "+a.Place.Raw), " "))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

const (
	xmpOpen = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
		xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#" xmlns:zf="urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#"
		xmlns:e="http://www.aiim.org/pdfa/ns/extension/" xmlns:s="http://www.aiim.org/pdfa/ns/schema#" xmlns:p="http://www.aiim.org/pdfa/ns/property#">`
	xmpEnd    = `</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
	fxSchema  = `<rdf:Description rdf:about=""><e:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><s:schema>Title</s:schema><s:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</s:namespaceURI><s:property><rdf:Seq>%s</rdf:Seq></s:property></rdf:li></rdf:Bag></e:schemas></rdf:Description>`
	asElement = `<rdf:li rdf:parseType="Resource"><p:name>%s</p:name></rdf:li>`
	asAttr    = `<rdf:li><rdf:Description p:name="%s"/></rdf:li>`
)

func schemaOf(form string, names ...string) string {
	var list strings.Builder
	for _, n := range names {
		fmt.Fprintf(&list, form, n)
	}
	return fmt.Sprintf(fxSchema, &list)
}

// XMP has several forms for the same properties.
func TestMetadata(t *testing.T) {
	names := []string{"DocumentType", "DocumentFileName", "Version", "ConformanceLevel"}
	const elements = `<rdf:Description rdf:about=""><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>
		EN 16931 </fx:ConformanceLevel></rdf:Description>`
	const attributes = `<rdf:Description rdf:about="" fx:DocumentType="INVOICE" fx:DocumentFileName="factur-x.xml" fx:Version="1.0" fx:ConformanceLevel="EN 16931"/>`
	const whole = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0# INVOICE factur-x.xml 1.0 EN 16931; schema Title; undeclared "
	for _, c := range []struct{ name, xmp, claim, hybrid, problem string }{
		{"nothing", xmpOpen + xmpEnd, "", "", ""},
		{"elements", xmpOpen + schemaOf(asElement, names...) + elements + `<rdf:Description><pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>` + xmpEnd, "3B", whole, ""},
		{"attributes", xmpOpen + schemaOf(asAttr, names...) + attributes + `<rdf:Description pdfaid:part="3" pdfaid:conformance="U"/>` + xmpEnd, "3U", whole, ""},
		{"not declared", xmpOpen + schemaOf(asAttr, names[:2]...) + attributes + xmpEnd, "", whole + "Version ConformanceLevel", ""},
		{"the newest of two", xmpOpen + `<rdf:Description zf:Version="2.0"/><rdf:Description fx:Version="1.0"/>` + xmpEnd, "", "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#   1.0 ; schema ; undeclared Version", ""},
		{"not XML", xmpOpen, "", "", "syntax error"},
		{"not UTF-8", xmpOpen + "\xff" + xmpEnd, "", "", "not in UTF-8"},
		{"a bomb", xmpOpen + strings.Repeat("<a>", 1000) + xmpEnd, "", "", "larger"},
		{"an entity", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + xmpOpen + `<rdf:Description fx:Version="&x;"/>` + xmpEnd, "", "", "entity"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := describe(t, "/Metadata 1 0 R", "", func(w *pdftest.Writer) { w.Stream("/Type /Metadata /Subtype /XML", []byte(c.xmp)) })
			claim, hybrid := "", ""
			if d.Claim != nil {
				claim = d.Claim.Part.Raw + d.Claim.Conformance.Raw
			}
			if m := d.Metadata; m != nil {
				var undeclared []string
				for _, p := range m.Undeclared {
					undeclared = append(undeclared, p.Name.Raw)
				}
				hybrid = fmt.Sprintf("%s %s %s %s %s; schema %s; undeclared %s", m.Namespace.Raw, m.DocumentType.Raw, m.DocumentFileName.Raw, m.Version.Raw, m.ConformanceLevel.Raw, m.Schema.Raw, strings.Join(undeclared, " "))
			}
			if claim != c.claim || hybrid != c.hybrid || (c.problem == "") != d.MetadataProblem.IsZero() || !strings.Contains(d.MetadataProblem.Raw, c.problem) {
				t.Errorf("got claim %q, %q and problem %q; want %q, %q and %q", claim, hybrid, d.MetadataProblem.Raw, c.claim, c.hybrid, c.problem)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	d := described(t, pdftest.Hybrid(
		pdftest.File{Name: "factur-x.xml", Data: []byte(cii), MIME: "text/xml", Relationship: "Data", Params: "/Size 7 /ModDate (D:20261120100000Z) /CheckSum <00112233445566778899aabbccddeeff>"},
		pdftest.File{Name: "old.xml", Data: []byte(zugferd1)}))
	f := d.InvoiceFile
	want := model.ContainerFile{
		Name: model.NewText("factur-x.xml"), Kind: model.NewText("cii"), MIME: model.NewText("text/xml"), Relationship: model.NewText("Data"),
		Modified: model.NewText("2026-11-20T10:00:00Z"), Size: model.NewNumber(fmt.Sprint(len(cii))), StatedSize: model.NewNumber("7"),
		CheckSum: f.CheckSum, StatedCheckSum: model.NewText("00112233445566778899aabbccddeeff"),
		NameTreeKey: model.NewText("factur-x.xml"), Associated: model.NewText("document"),
	}
	if *f != want || len(f.CheckSum.Raw) != 32 || len(d.OtherFiles) != 1 || d.OtherFiles[0].Kind.Raw != "zugferd1" {
		t.Errorf("got %+v and %+v, want %+v", *f, d.OtherFiles, want)
	}
}

func TestPages(t *testing.T) {
	d := describe(t, "/OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile 1 0 R /OutputConditionIdentifier (sRGB) >> << /S /GTS_PDFX >>]",
		"/Contents 2 0 R /Resources << /Font << /F << /Subtype /Type1 /BaseFont /Helvetica >> >> >>", func(w *pdftest.Writer) {
			w.Stream("/N 3", []byte("profile"))
			w.Stream("", []byte("1 0 0 rg BT /F 10 Tf (Total 119.00) Tj ET"))
		})
	if len(d.OutputIntents) != 2 || d.OutputIntents[0].Profile.Raw != "sRGB" || d.OutputIntents[1].Profile.Present {
		t.Errorf("got %+v", d.OutputIntents)
	}
	if len(d.Fonts) != 1 || d.Fonts[0].Name.Raw != "Helvetica" || d.Fonts[0].Embedded.Present || d.DeviceColour.Raw != "page 1" || d.Pages[0] != "Total 119.00" {
		t.Errorf("got %+v, colour %q, pages %q", d.Fonts, d.DeviceColour.Raw, d.Pages)
	}
}

// A description is bounded by the limits of the container and by the context.
func TestLimits(t *testing.T) {
	var w pdftest.Writer
	content := w.Stream("", []byte(strings.Repeat("0 0 m ", 200_000)))
	pages := w.Pages(50, "/Contents "+pdftest.Ref(content))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	data := w.Close("/Root " + pdftest.Ref(root) + " /ID [<00><00>]")
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	_, err = inspect.Container(ctx, c, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without time: %v", err)
	}
	if c, err = pdf.Open(data, pdf.Limits{Decoded: 10_000}); err != nil {
		t.Fatal(err)
	}
	d, err := inspect.Container(t.Context(), c, nil)
	if e, ok := errors.AsType[*problem.Error](err); err != nil && (!ok || e.Code != pdf.CodeLimit) || err == nil && len(d.Pages) > 0 && d.Pages[0] != "" {
		t.Errorf("beyond what may be decompressed: %v, %+v", err, d)
	}
}
