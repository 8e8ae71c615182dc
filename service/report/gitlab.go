package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"einvoice/engine"
	"einvoice/model/quote"
)

// A gitlabIssue is one of the code quality report that GitLab shows in merge requests
// (artifacts:reports:codequality), which is a subset of the format of Code Climate.
type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// gitlabSeverities are GitLab's words for levels.
var gitlabSeverities = map[engine.Level]string{engine.Fatal: "critical", engine.Warning: "minor", engine.Information: "info"}

type gitlabWriter struct {
	w       io.Writer
	options Options
	issues  []gitlabIssue
}

func newGitLab(w io.Writer, options Options) Writer {
	return &gitlabWriter{w: w, options: options, issues: []gitlabIssue{}}
}

func (g *gitlabWriter) Encode(o *Outcome) (Part, error) {
	if o.Err != nil {
		failed := FailureOf(o.Err, g.options.Words)
		line := 0
		if failed.Attachment == "" {
			line = failed.Line
		}
		return []gitlabIssue{newGitLabIssue(quote.Spelled(o.Name), failed.Code, failed.Message, "blocker", "", line, 0)}, nil
	}
	var issues []gitlabIssue
	repeated := map[[2]string]int{} // findings of a rule at a location
	for _, f := range g.options.findings(o) {
		at := [2]string{f.Rule, f.Location}
		line := 0
		if f.Line != nil {
			line = *f.Line
		}
		issues = append(issues, newGitLabIssue(quote.Spelled(o.Name), f.Rule, withProvenance(o.Report, &f, g.options.Words), gitlabSeverities[f.Level], f.Location, line, repeated[at]))
		repeated[at]++
	}
	if more := notShown(o, len(issues), g.options.Words); more != "" {
		issues = append(issues, newGitLabIssue(quote.Spelled(o.Name), "findings", more, "info", "", 0, 0))
	}
	return issues, nil
}

// newGitLabIssue makes an issue. Its fingerprint does not change with the line, so that
// GitLab knows it again when lines are added before it.
func newGitLabIssue(name, check, description, severity, location string, line, number int) gitlabIssue {
	if name == "" {
		name = "invoice.xml"
	}
	if check == "" {
		check = "read"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%d", name, check, location, number))
	return gitlabIssue{
		Description: "[" + check + "] " + description, Check: check, Fingerprint: hex.EncodeToString(sum[:16]), Severity: severity,
		Location: gitlabLocation{Path: name, Lines: gitlabLines{max(line, 1)}},
	}
}

func (g *gitlabWriter) Write(part Part) error {
	g.issues = append(g.issues, part.([]gitlabIssue)...)
	return nil
}

func (g *gitlabWriter) Close(*Summary) error {
	encoder := json.NewEncoder(g.w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(g.issues)
}
