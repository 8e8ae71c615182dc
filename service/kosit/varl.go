package kosit

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"strings"
	"sync"
	"time"

	_ "embed"

	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/model/template"
)

//go:embed varl.xml.tmpl
var varlTemplate string

// varl writes a report in VARL with the page that explains it.
var varl = sync.OnceValue(func() *template.Template {
	return template.Text(varlTemplate, template.Functions{"xml": escape, "count": count, "valid": valid})
})

// engineName is what reports are made with.
const engineName = "einvoice"

// A subject is what a report is about.
type subject struct {
	scenario *Scenario
	document *model.Document
}

// escape writes a text into XML, on one line. What XML cannot hold is replaced.
func escape(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(oneLine(text))) // a Buffer takes everything
	return out.String()
}

func valid(s Step) bool { return s.Valid() }

// count counts the messages of a step that have a level.
func count(s Step, level string) int {
	n := 0
	for _, m := range s.Messages {
		if m.Level == level {
			n++
		}
	}
	return n
}

// write makes the report of a result.
func (c *Configuration) write(r *Result, about *subject) error {
	hash := sha256.Sum256(r.data)
	valid := r.Scenario != ""
	for i := range r.Steps {
		valid = valid && r.Steps[i].Valid()
	}
	view := map[string]any{
		"Result": r, "Valid": valid, "Engine": engineName, "Levels": levels,
		"Hash": base64.StdEncoding.EncodeToString(hash[:]), "Time": r.began.Format(time.RFC3339Nano), "Date": r.began.Format("2006-01-02 15:04:05 -0700"),
		"Quoted": "", "Seller": "", "ID": "", "Issued": "",
	}
	if about.scenario != nil {
		view["Quoted"] = string(about.scenario.quoted)
		inv := about.document.Invoice
		view["ID"], view["Issued"] = shown(inv.Number.Raw), shown(inv.IssueDate.Raw)
		if inv.Seller != nil {
			view["Seller"] = shown(inv.Seller.Name.Raw)
		}
	}
	var page bytes.Buffer
	if err := varl().Execute(&page, "page", view); err != nil {
		return err
	}
	r.HTML = page.Bytes()
	view["Page"] = page.String()
	var out bytes.Buffer
	if err := varl().Execute(&out, "report", view); err != nil {
		return err
	}
	r.Report = out.Bytes()
	return nil
}

// shown is a value of the document, which may be of any length.
func shown(value string) string { return quote.Shorten(strings.TrimSpace(value), quote.Most) }
