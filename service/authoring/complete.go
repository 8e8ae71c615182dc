package authoring

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/files"
	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/pattern"
)

// A Completion is one thing that can be written at a place.
type Completion struct {
	Label  string
	Detail string // in a few words
	Doc    string // in sentences
	Kind   CompletionKind
}

// CompletionKind is what a completion is.
type CompletionKind string

// The kinds of completions.
const (
	CompleteKey      CompletionKind = "key"
	CompleteValue    CompletionKind = "value"
	CompleteFunction CompletionKind = "function"
	CompleteTerm     CompletionKind = "term"
	CompleteRule     CompletionKind = "rule"
	CompleteList     CompletionKind = "list"
)

var (
	listNamed  = pattern.Later(`\blist:\s*["']?([A-Za-z0-9_-]+)`)
	inListName = pattern.Later(`isInCodeList\(["'][^"']*$`)
	fieldChain = pattern.Later(`(invoice|this|/invoice)((?:[./][A-Za-z]+(?:\[[^\]]*\])?)*)[./][A-Za-z]*$`)
)

// Complete lists what can be written at a place of a file.
func (w *Workspace) Complete(name string, line, column int) ([]Completion, error) {
	k := files.KindOf(name)
	if k == nil {
		return nil, nil
	}
	text := w.Text(name)
	content := lineOf(text, line)
	start := before(content, column)
	switch {
	case startOfKey().MatchString(start):
		if keys := keysOf(shapeAt(k, pathAt(text, line, indentOf(keyed(content))))); keys != nil {
			return keys, nil
		}
	case openFlow().MatchString(start) && strings.Contains(start, "{"):
		if keys := keysOf(flowShape(k, text, line, start)); keys != nil {
			return keys, nil
		}
	}
	return w.completeValue(k, name, text, line, column)
}

// keyed is a line whose key is about to be written, for its indentation.
func keyed(line string) string {
	if strings.TrimSpace(line) == "-" {
		return strings.TrimRight(line, " ") + " x"
	}
	return line
}

func keysOf(s files.Shape) (all []Completion) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if name == "*" {
			continue
		}
		detail := s[name].Type
		if s[name].Required {
			detail += ", required"
		}
		all = append(all, Completion{Label: name, Detail: detail, Doc: s[name].About, Kind: CompleteKey})
	}
	return all
}

func (w *Workspace) completeValue(k *files.Kind, file, text string, line, column int) ([]Completion, error) {
	start := before(lineOf(text, line), column)
	switch {
	case inListName().MatchString(start):
		return w.codeLists(k, text, line)
	case inTableName().MatchString(start):
		return w.tables()
	case inColumn().MatchString(start):
		return w.columns(start)
	}
	name, of := keyAt(k, text, line, column)
	if of != nil && valuesOf(of) != nil && of.Type == "text" {
		var all []Completion
		for _, v := range valuesOf(of) {
			all = append(all, Completion{Label: v, Kind: CompleteValue})
		}
		return all, nil
	}
	switch name {
	case "btCodes":
		return termCompletions(w.Language()), nil
	case "list":
		return w.codeLists(k, text, line)
	case "extends", "rulesets":
		return w.rulesets()
	case "without", "only", "rules":
		return w.ruleIDs()
	case "fields":
		return fieldsOf(contextType(text, line), w.Language()), nil
	case "assert", "message", "context", "where":
		return w.completeExpression(text, line, start, name)
	}
	return nil, nil
}

// completeExpression lists the fields behind a path, or functions and fields.
func (w *Workspace) completeExpression(text string, line int, start, key string) ([]Completion, error) {
	if m := fieldChain().FindStringSubmatch(start); m != nil {
		from := model.InvoiceType()
		if m[1] == "this" {
			from = contextType(text, line)
		}
		return fieldsOf(typeAt(from, steps(m[2])), w.Language()), nil
	}
	if key == "context" || key == "where" {
		return []Completion{{Label: "/invoice", Detail: "the invoice", Kind: CompleteValue}, {Label: "/container", Detail: "the PDF around it", Kind: CompleteValue}, {Label: "/batch", Detail: "a document among the others of a job", Kind: CompleteValue}}, nil
	}
	all := []Completion{{Label: "this", Detail: "the node of the context", Kind: CompleteValue}, {Label: "invoice", Detail: "the whole invoice", Kind: CompleteValue}}
	for _, f := range expr.Functions() {
		all = append(all, Completion{Label: f.Name, Detail: strings.Join(f.Signatures, "; "), Doc: f.Doc + " Example: " + f.Example, Kind: CompleteFunction})
	}
	return all, nil
}

// steps are the names of a path such as .lines[0].vat or /lines/vat.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '/' })
}

var contextKey = pattern.Later(`\bcontext:\s*["']?(/(?:invoice|container|batch)\b[A-Za-z/.]*)`)

// contextType is the type of this in the rule around a line; nil where it is an element, or
// cannot be told.
func contextType(text string, line int) *model.Type {
	lines := strings.Split(text, "\n")
	for i := min(line, len(lines)) - 1; i >= 0; i-- {
		if m := contextKey().FindStringSubmatch(lines[i]); m != nil {
			return typeOfPath(m[1])
		}
		if regexp.MustCompile(`^\s*- (?:\{)?id:`).MatchString(lines[i]) && i+1 < line {
			break // the rule begins here; its context may come below
		}
	}
	for i := line; i < len(lines) && !strings.Contains(lines[i], "- id:"); i++ {
		if m := contextKey().FindStringSubmatch(lines[i]); m != nil {
			return typeOfPath(m[1])
		}
	}
	return nil
}

// typeOfPath is the type at a context that begins with a root of the model.
func typeOfPath(context string) *model.Type {
	all := steps(context)
	for _, root := range xpath.Roots() {
		if root.Name == all[0] {
			return typeAt(root.Type, all[1:])
		}
	}
	return nil
}

func fieldsOf(t *model.Type, language *words.Language) (all []Completion) {
	if t == nil {
		return nil
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		all = append(all, Completion{Label: f.Name, Detail: strings.TrimSpace(f.BT + " " + language.Say(f.Term)), Kind: CompleteTerm})
	}
	return all
}

func termCompletions(language *words.Language) (all []Completion) {
	seen := map[string]bool{}
	for _, t := range terms() {
		if t.field.BT != "" && !seen[t.field.BT] {
			seen[t.field.BT] = true
			all = append(all, Completion{Label: t.field.BT, Detail: language.Say(t.field.Term), Doc: t.path, Kind: CompleteTerm})
		}
	}
	return all
}

// codeLists are those of files and, in an overlay, those that it makes itself, as far as they
// stand on other lines than the one that is written.
func (w *Workspace) codeLists(k *files.Kind, text string, line int) (all []Completion, err error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(library.FS(), "codelists/*.yaml")
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".yaml")
		list, err := library.CodeList(name)
		if err != nil {
			continue // Check says why
		}
		all = append(all, Completion{Label: name, Detail: list.Title, Kind: CompleteList})
	}
	if k != files.KindOf("overlays/any.yaml") {
		return all, err
	}
	for i, other := range strings.Split(text, "\n") {
		named := listNamed().FindStringSubmatch(withoutComment(other))
		if i+1 != line && named != nil && !slices.ContainsFunc(all, func(c Completion) bool { return c.Label == named[1] }) {
			all = append(all, Completion{Label: named[1], Kind: CompleteList})
		}
	}
	return all, err
}

func (w *Workspace) rulesets() (all []Completion, err error) {
	err = w.eachRuleset(func(s *engine.Ruleset) {
		all = append(all, Completion{Label: s.Name + "/" + s.Version, Detail: string(s.Layer), Kind: CompleteValue})
	})
	return all, err
}

func (w *Workspace) ruleIDs() (all []Completion, err error) {
	seen := map[string]bool{}
	err = w.eachRuleset(func(s *engine.Ruleset) {
		for _, r := range s.Rules {
			if !seen[r.ID] {
				seen[r.ID] = true
				all = append(all, Completion{Label: r.ID, Detail: s.Name + "/" + s.Version, Doc: r.Text, Kind: CompleteRule})
			}
		}
	})
	return all, err
}

// eachRuleset visits the rulesets that load, in the order of their names. The error is that of
// reading that was to end.
func (w *Workspace) eachRuleset(visit func(*engine.Ruleset)) error {
	library, err := w.Library()
	if err != nil {
		return err
	}
	versions, err := library.Versions()
	if err != nil {
		return err
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for _, version := range versions[family] {
			if s, err := library.Ruleset(family + "/" + version); err == nil { // Check says why others do not
				visit(s)
			}
		}
	}
	return library.Ended()
}
