package text_test

import (
	"fmt"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
)

// layered is a PDF of one page with the first of two layers off, and states of look.
func layered(content string) []byte {
	var w pdftest.Writer
	off, on := w.Add("<< /Type /OCG /Name (off) >>"), w.Add("<< /Type /OCG /Name (on) >>")
	both := w.Add(fmt.Sprintf("<< /Type /OCMD /OCGs [%s %s] /P /AllOn >>", pdftest.Ref(off), pdftest.Ref(on)))
	picture := w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{0})
	form := w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 50 100] /OC "+pdftest.Ref(off), []byte("BT /F 10 Tf 10 60 Td (seen) Tj ET"))
	cut := w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 5 5]", []byte("BT /F 10 Tf 10 60 Td (seen) Tj ET"))
	group := w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Group << /S /Transparency >>", []byte("/Full gs BT /F 10 Tf 10 60 Td (seen) Tj ET"))
	sheet := w.Stream("/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Group << /S /Transparency >>", []byte("/Full gs 1 g 0 50 100 30 re f"))
	stream := w.Stream("", []byte(content))
	states := "/ExtGState << /Clear << /ca 0 >> /Nearly << /ca 0.01 >> /Full << /ca 1 >> /Half << /ca 0.5 >> /Multiply << /BM /Multiply >> >>"
	pages := w.Pages(1, fmt.Sprintf("/MediaBox [0 0 200 100] /Contents %s /Resources << %s %s /Properties << /Off %s /On %s /Both %s >> /XObject << /P %s /Form %s /Cut %s /Group %s /Sheet %s >> >>",
		pdftest.Ref(stream), helvetica, states, pdftest.Ref(off), pdftest.Ref(on), pdftest.Ref(both), pdftest.Ref(picture), pdftest.Ref(form), pdftest.Ref(cut), pdftest.Ref(group), pdftest.Ref(sheet)))
	return w.Close("/Root " + pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %s /OCProperties << /OCGs [%s %s] /D << /OFF [%s] >> >> >>", pdftest.Ref(pages), pdftest.Ref(off), pdftest.Ref(on), pdftest.Ref(off)))))
}

// What nobody sees is said to be hidden, and why; what is seen is not.
func TestHidden(t *testing.T) {
	const (
		show = " BT /F 10 Tf 10 60 Td (seen) Tj ET "
		area = " 0 50 100 30 re f "
	)
	for name, c := range map[string]struct {
		content string
		want    text.Hiding
	}{
		"black on white":                          {show, ""},
		"white on white":                          {"1 g" + show, text.HiddenByColour},
		"nearly white on white":                   {"0.96 0.97 1 rg" + show, text.HiddenByColour},
		"white in another space":                  {"0 0 0 0 k" + show, text.HiddenByColour},
		"grey on white":                           {"0.6 g" + show, ""},
		"white on a dark area":                    {"0.2 g" + area + "1 g" + show, ""},
		"white on a dark area that is half clear": {"/Half gs 0.2 g" + area + "1 g" + show, ""},
		"dark on the same dark":                   {"0.2 g" + area + show, text.HiddenByColour},
		"white on a dark area of another form":    {"0 g 0 50 m 100 50 l 120 65 l 100 80 l 0 80 l h f 1 g" + show, ""},
		"white on an area drawn by lines":         {"0 g 0 50 m 100 50 l 100 80 l 0 80 l h f 1 g" + show, ""},
		"white on a thick line":                   {"30 w 0 65 m 100 65 l S 1 g" + show, ""},
		"white on a picture":                      {"q 100 0 0 50 0 40 cm /P Do Q 1 g" + show, ""},
		"white with a dark edge":                  {"2 Tr 1 g" + show, ""},
		"an edge alone, white":                    {"1 Tr 1 G" + show, text.HiddenByColour},
		"a clear colour":                          {"/Clear gs" + show, text.HiddenByColour},
		"a group that is nearly clear":            {"/Nearly gs /Group Do", text.HiddenByColour},
		"a group that is half clear":              {"/Half gs /Group Do", ""},
		"after a group that is nearly clear":      {"q /Nearly gs /Sheet Do Q" + show, ""},
		"covered by a group that is half clear":   {show + "/Half gs /Sheet Do", ""},
		"covered by a group":                      {show + "/Sheet Do", text.HiddenByCover},
		"a pattern":                               {"/Pattern cs /X scn" + show, ""},
		"after a white text":                      {"q 1 g BT /F 10 Tf 10 20 Td ET Q" + show, ""},
		"no paint":                                {"3 Tr" + show, text.HiddenByMode},
		"a clip alone":                            {"7 Tr" + show, text.HiddenByMode},
		"tiny letters":                            {"BT /F 0.4 Tf 10 60 Td (seen) Tj ET", text.HiddenBySize},
		"letters made tiny":                       {"0.1 0 0 0.1 0 0 cm BT /F 10 Tf 100 600 Td (seen) Tj ET", text.HiddenBySize},
		"small letters":                           {"BT /F 4 Tf 10 60 Td (seen) Tj ET", ""},
		"below the page":                          {"BT /F 10 Tf 10 -60 Td (seen) Tj ET", text.HiddenByEdge},
		"at the edge":                             {"BT /F 10 Tf 190 60 Td (seen) Tj ET", ""},
		"cut off":                                 {"q 0 0 5 5 re W n" + show + "Q", text.HiddenByClip},
		"cut off by a form":                       {"/Cut Do", text.HiddenByClip},
		"within a clip":                           {"q 0 40 100 40 re W n" + show + "Q", ""},
		"after a clip":                            {"q 0 0 5 5 re W n Q" + show, ""},
		"covered":                                 {show + "1 g" + area, text.HiddenByCover},
		"covered and written again":               {show + "1 g" + area + "0 g BT /F 10 Tf 11 60 Td (seen) Tj ET", text.HiddenByCover},
		"covered by lines":                        {show + "1 g 0 50 m 100 50 l 100 80 l 0 80 l h f", text.HiddenByCover},
		"covered in part":                         {show + "1 g 0 50 20 30 re f", ""},
		"covered by half":                         {show + "/Half gs 1 g" + area, ""},
		"marked":                                  {show + "/Multiply gs 1 1 0 rg" + area, ""},
		"in a frame":                              {show + "0 0 200 100 re 2 2 196 96 re f*", ""},
		"behind a picture":                        {show + "q 100 0 0 50 0 40 cm /P Do Q", text.HiddenByPicture},
		"a layer that is off":                     {"/OC /Off BDC" + show + "EMC", text.HiddenByLayer},
		"within a layer that is off":              {"/OC /Off BDC /Span BMC" + show + "EMC EMC", text.HiddenByLayer},
		"after a layer that is off":               {"/OC /Off BDC EMC" + show, ""},
		"a layer that is on":                      {"/OC /On BDC" + show + "EMC", ""},
		"layers of which one is off":              {"/OC /Both BDC" + show + "EMC", text.HiddenByLayer},
		"a form of a layer that is off":           {"/Form Do", text.HiddenByLayer},
		"an area of a layer that is off":          {show + "1 g /OC /Off BDC" + area + "EMC", ""},
	} {
		sheets, err := text.Words(open(t, layered(c.content)), text.Limits{})
		if err != nil || len(sheets) != 1 || len(sheets[0].Words) == 0 {
			t.Errorf("%s: got %+v, %v", name, sheets, err)
			continue
		}
		if w := sheets[0].Words[0]; w.Text != "seen" || w.HiddenBy != c.want || w.Hidden != (c.want != "") {
			t.Errorf("%s: %s is hidden by %q, want %q", name, w.Text, w.HiddenBy, c.want)
		}
	}
}
