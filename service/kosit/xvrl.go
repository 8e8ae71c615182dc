package kosit

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"
	"time"

	"einvoice/model/template"
)

//go:embed xvrl.xml.tmpl
var xvrlTemplate string

var xvrl = sync.OnceValue(func() *template.Template {
	return template.Text(xvrlTemplate, template.Functions{"xml": escape, "count": count, "codes": codes, "severity": severity, "valid": valid})
})

// XVRL is the result in the XML Validation Report Language 1.0
// (http://www.xproc.org/ns/xvrl), as version 2 of the validator's server answers, with a
// report for each step.
func (r *Result) XVRL(version string) ([]byte, error) {
	var out bytes.Buffer
	err := xvrl().Execute(&out, "", map[string]any{"Result": r, "Engine": engineName, "Version": version, "Time": r.began.Format(time.RFC3339Nano)})
	return out.Bytes(), err
}

// severity is a level in the words of XVRL.
func severity(level string) string {
	if level == levelInformation {
		return "info"
	}
	return level
}

// codes lists the codes of a step's messages of a level, each once.
func codes(s Step, level string) string {
	var list []string
	seen := map[string]bool{}
	for _, m := range s.Messages {
		if m.Level == level && !seen[m.Code] {
			seen[m.Code] = true
			list = append(list, m.Code)
		}
	}
	return strings.Join(list, " ")
}
