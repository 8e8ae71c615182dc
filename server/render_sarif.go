package server

import (
	"net/url"

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
		Properties  any               `json:"properties"`
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
		Properties           map[string]any `json:"properties"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
	}
	sarifArtifact struct {
		Location sarifURI `json:"location"`
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
		Properties map[string]any  `json:"properties"`
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

var sarifLevels = map[engine.Level]string{engine.Fatal: "error", engine.Warning: "warning", engine.Information: "note"}

func renderSARIF(x *exchange, v *validation) error {
	uri := "invoice.xml"
	if v.name != "" {
		uri = url.PathEscape(v.name)
	}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "einvoice", SemanticVersion: Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{true}}, Artifacts: []sarifArtifact{{sarifURI{uri}}},
		Results: []sarifResult{}, ColumnKind: "unicodeCodePoints", Properties: v.summary(),
	}
	index := map[string]int{}
	for _, f := range v.findings() {
		if _, known := index[f.Rule]; !known {
			index[f.Rule] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
				ID: f.Rule, FullDescription: sarifText{f.Raw}, DefaultConfiguration: sarifLevel{sarifLevels[f.Level]},
				Properties: map[string]any{"layer": f.Layer, "btCodes": f.BTCodes},
			})
		}
		l := sarifLocation{Physical: sarifPhysical{Artifact: sarifURI{uri}}}
		if f.Line != nil && f.Column != nil {
			l.Physical.Region = &sarifRegion{*f.Line, *f.Column}
		}
		if f.Location != "" {
			l.Logical = []sarifLogical{{f.Location, "element"}}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevels[f.Level], Message: sarifText{f.Message},
			Locations: []sarifLocation{l}, Properties: map[string]any{"btCodes": f.BTCodes, "fields": f.Fields},
		})
	}
	return x.sendJSON(v.status(), "application/sarif+json", sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}
