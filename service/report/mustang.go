package report

import (
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/formats/filekind"
	"einvoice/model/numeral"
	"einvoice/model/quote"
)

// The parts of the report of Mustang (Mustang-CLI 2.26, action validate) that are used.
type (
	mustangValidation struct {
		XMLName  xml.Name         `xml:"validation"`
		File     string           `xml:"filename,attr"`
		Time     string           `xml:"datetime,attr"`
		PDF      *mustangPart     `xml:"pdf"`
		XML      *mustangPart     `xml:"xml"`
		Messages *mustangMessages `xml:"messages"`
		Summary  *mustangSummary  `xml:"summary"`
	}
	mustangPart struct {
		Info     *mustangInfo     `xml:"info"`
		Messages *mustangMessages `xml:"messages"`
		Summary  *mustangSummary  `xml:"summary"`
	}
	mustangInfo struct {
		Generation string           `xml:"version"`
		Profile    string           `xml:"profile"`
		Validator  mustangValidator `xml:"validator"`
		Fired      int              `xml:"rules>fired"`
		Failed     int              `xml:"rules>failed"`
		Duration   mustangDuration  `xml:"duration"`
	}
	mustangValidator struct {
		Version string `xml:"version,attr"`
	}
	mustangDuration struct {
		Unit  string `xml:"unit,attr"`
		Value int64  `xml:",chardata"`
	}
	mustangMessages struct{ All []mustangAny }
	mustangAny      struct {
		XMLName   xml.Name // error, warning, notice or exception
		Type      string   `xml:"type,attr,omitempty"`
		Location  string   `xml:"location,attr,omitempty"`
		Criterion string   `xml:"criterion,attr,omitempty"`
		Text      string   `xml:",chardata"`
	}
	mustangSummary struct {
		Status string `xml:"status,attr"`
	}
)

// The sections of Mustang's messages, as it numbers them in type.
const (
	mustangNotReadable  = "8"  // neither PDF nor XML
	mustangSchema       = "18" // violates the XML schema
	mustangPDFStructure = "17" // the PDF around the invoice
	mustangCore         = "24" // violates a rule of EN 16931
	mustangRule         = "4"  // violates a rule of the profile
	mustangCIUS         = "27" // violates a rule of a CIUS, such as XRechnung
)

// Mustang writes reports in the form of Mustang.
type Mustang struct {
	Options
	NoNotices bool          // leave out findings that are information
	Took      time.Duration // that the validation took
	Now       time.Time
}

// Write returns the report of one document in the form of Mustang. data is the document.
func (m *Mustang) Write(o *Outcome, data []byte) ([]byte, error) {
	v := &mustangValidation{File: quote.Spelled(o.Name), Time: m.Now.Format(time.DateTime), Summary: status(o.Err == nil && o.Report.Valid)}
	if o.Err != nil {
		v.Messages = &mustangMessages{[]mustangAny{{XMLName: xml.Name{Local: "exception"}, Type: mustangNotReadable, Text: o.Err.Error()}}}
	} else {
		v.XML = &mustangPart{Info: m.info(o), Messages: &mustangMessages{}}
		if filekind.IsPDF(data) {
			v.PDF = &mustangPart{Messages: &mustangMessages{}}
		}
		m.sort(v, o)
	}
	out, err := xml.MarshalIndent(v, "", "  ")
	return append(append([]byte(xml.Header), out...), '\n'), err
}

// sort puts the findings into the part that they are about.
func (m *Mustang) sort(v *mustangValidation, o *Outcome) {
	valid := map[*mustangPart]bool{v.XML: true, v.PDF: true}
	for i := range o.Report.Findings {
		f := &o.Report.Findings[i]
		part := v.XML
		if f.Layer == engine.LayerContainer && v.PDF != nil {
			part = v.PDF
		}
		if f.Level == engine.Fatal {
			valid[part] = false
		}
		if f.Level != engine.Information || !m.NoNotices {
			part.Messages.All = append(part.Messages.All, m.message(o, f))
		}
	}
	for _, more := range o.Report.Omitted {
		v.XML.Messages.All = append(v.XML.Messages.All, mustangAny{
			XMLName: xml.Name{Local: mustangName(more.Level)}, Text: numeral.Count(more.Count, "more finding") + " of " + more.Rule,
		})
	}
	for _, part := range []*mustangPart{v.XML, v.PDF} {
		if part == nil {
			continue
		}
		part.Summary = status(valid[part])
		if len(part.Messages.All) == 0 {
			part.Messages = nil
		}
	}
}

func (m *Mustang) info(o *Outcome) *mustangInfo {
	failed := map[string]bool{}
	for i := range o.Report.Findings {
		failed[o.Report.Findings[i].Rule] = true
	}
	profile := ""
	if o.Document != nil {
		profile = strings.TrimSpace(o.Document.Invoice.SpecificationID.Raw)
	}
	const generation = "2" // of ZUGFeRD; the first one is not validated here
	return &mustangInfo{
		Generation: generation, Profile: profile, Validator: mustangValidator{m.Version}, Fired: o.Report.RulesRun, Failed: len(failed),
		Duration: mustangDuration{"ms", m.Took.Milliseconds()},
	}
}

func (m *Mustang) message(o *Outcome, f *engine.Finding) mustangAny {
	a := mustangAny{XMLName: xml.Name{Local: mustangName(f.Level)}, Location: f.Location, Text: withProvenance(o.Report, f, m.Words) + " [ID " + f.Rule + "]"}
	switch f.Layer {
	case engine.LayerSchema:
		a.Type = mustangSchema
	case engine.LayerContainer:
		a.Type = mustangPDFStructure
	case engine.LayerCIUS:
		a.Type = mustangCIUS
	case engine.LayerEN16931:
		a.Type = mustangCore
	default:
		a.Type = mustangRule
	}
	if f.Line != nil && f.Column != nil {
		a.Text += " (line " + strconv.Itoa(*f.Line) + ", column " + strconv.Itoa(*f.Column) + ")"
	}
	if r, _ := m.rule(o.Report, f.Rule); r != nil {
		a.Criterion = r.Assert.Value
	}
	return a
}

// mustangName is the element for a level.
func mustangName(l engine.Level) string {
	switch l {
	case engine.Fatal:
		return "error"
	case engine.Warning:
		return "warning"
	}
	return "notice"
}

func status(valid bool) *mustangSummary {
	if valid {
		return &mustangSummary{"valid"}
	}
	return &mustangSummary{"invalid"}
}
