package report

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"einvoice/engine"
)

// The parts of SARIF 2.1.0 that are used, in the names of that standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Artifacts   []sarifArtifact   `json:"artifacts"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
		Properties  map[string]any    `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		SemanticVersion string      `json:"semanticVersion"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string         `json:"id"`
		FullDescription      sarifText      `json:"fullDescription"`
		DefaultConfiguration sarifLevel     `json:"defaultConfiguration"`
		Properties           map[string]any `json:"properties,omitempty"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifArtifact struct {
		Location   sarifURI `json:"location"`
		Properties any      `json:"properties,omitempty"` // the report without its findings
	}
	sarifURI struct {
		URI string `json:"uri"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		RuleIndex  int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Properties map[string]any  `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI     `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// sarifWriter writes one run of SARIF, with an artifact for each document.
type sarifWriter struct {
	w       io.Writer
	options Options
	run     sarifRun
	index   map[string]int // of rules
}

func newSARIF(w io.Writer, options Options) Writer {
	return &sarifWriter{w: w, options: options, index: map[string]int{}, run: sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "einvoice", SemanticVersion: options.Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}}, Artifacts: []sarifArtifact{},
		Results: []sarifResult{}, ColumnKind: "unicodeCodePoints",
	}}
}

// A sarifPart is one document.
type sarifPart struct {
	name   string
	report *document
}

func (s *sarifWriter) Encode(o *Outcome) (Part, error) {
	return &sarifPart{o.Name, s.options.document(o)}, nil
}

func (s *sarifWriter) Write(part Part) error {
	p := part.(*sarifPart)
	uri := sarifURIOf(p.name)
	findings := p.report.Findings
	p.report.Findings = nil // they are the results
	s.run.Artifacts = append(s.run.Artifacts, sarifArtifact{Location: uri, Properties: p.report})
	if p.report.Error != nil {
		s.unreadable(uri, p.report.Error)
		return nil
	}
	for i := range findings {
		s.result(uri, &findings[i])
	}
	return nil
}

// sarifURIOf is the name of a file as a relative URI.
func sarifURIOf(name string) sarifURI {
	if name == "" {
		name = "invoice.xml"
	}
	steps := strings.Split(name, "/")
	for i, step := range steps {
		steps[i] = url.PathEscape(step)
	}
	return sarifURI{strings.Join(steps, "/")}
}

func (s *sarifWriter) unreadable(uri sarifURI, failed *Failure) {
	at := sarifLocation{Physical: sarifPhysical{Artifact: uri}}
	if failed.Line > 0 && failed.Attachment == "" {
		at.Physical.Region = &sarifRegion{failed.Line, failed.Column}
	}
	call := &s.run.Invocations[0]
	call.ExecutionSuccessful = false
	call.ToolExecutionNotifications = append(call.ToolExecutionNotifications, sarifNotification{
		Level: "error", Message: sarifText{failed.Message}, Locations: []sarifLocation{at},
	})
}

func (s *sarifWriter) result(uri sarifURI, f *engine.Finding) {
	if _, known := s.index[f.Rule]; !known {
		s.index[f.Rule] = len(s.run.Tool.Driver.Rules)
		s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, sarifRule{
			ID: f.Rule, FullDescription: sarifText{f.Raw}, DefaultConfiguration: sarifLevel{levelNames[f.Level]},
			Properties: map[string]any{"layer": f.Layer, "btCodes": f.BTCodes},
		})
	}
	whose := ""
	if said := provenance(f, s.options.Words); said != "" {
		whose = " " + said
	}
	at := sarifLocation{Physical: sarifPhysical{Artifact: uri}}
	if f.Line != nil && f.Column != nil {
		at.Physical.Region = &sarifRegion{*f.Line, *f.Column}
	}
	if f.Location != "" {
		at.Logical = []sarifLogical{{f.Location, "element"}}
	}
	properties := map[string]any{"btCodes": f.BTCodes, "fields": f.Fields}
	for key, value := range map[string]string{
		"overlay": f.Overlay, "owner": f.Owner, "publishedLevel": string(f.PublishedLevel), "levelReason": f.LevelReason,
		"levelUntil": string(f.LevelUntil), "since": string(f.Since),
	} {
		if value != "" {
			properties[key] = value
		}
	}
	s.run.Results = append(s.run.Results, sarifResult{
		RuleID: f.Rule, RuleIndex: s.index[f.Rule], Level: levelNames[f.Level], Message: sarifText{f.Message + whose},
		Locations: []sarifLocation{at}, Properties: properties,
	})
}

func (s *sarifWriter) Close(sum *Summary) error {
	s.run.Properties = map[string]any{"documents": sum.Documents, "valid": sum.Valid, "invalid": sum.Invalid, "unreadable": sum.Unreadable}
	return s.encode()
}

func (s *sarifWriter) encode() error {
	encoder := json.NewEncoder(s.w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{s.run},
	})
}
