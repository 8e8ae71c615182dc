package authoring

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/files"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/pattern"
)

var termCode = pattern.Later(`^B[TG]-[A-Z0-9-]+$`)

// Hover describes what is at a place, in Markdown, with the range that it is about; "" for
// nothing.
func (w *Workspace) Hover(name string, line, column int) (text string, at Range, err error) {
	k := files.KindOf(name)
	if k == nil {
		return "", at, nil
	}
	content := lineOf(w.Text(name), line)
	word := wordAt(content, column)
	at = Range{line, word.Column, word.End}
	library, err := w.Library()
	if err != nil || word.text == "" {
		return "", at, err
	}
	if termCode().MatchString(word.text) {
		text, err = w.hoverTerm(library, word.text)
		return text, at, err
	}
	if text := hoverTable(library, content, word.text); text != "" {
		return text, at, nil
	}
	if called := calledAt(content, word, column); called.text != "" {
		if text := hoverFunction(called.text); text != "" {
			return text, Range{line, called.Column, called.End}, nil
		}
	}
	if text := w.hoverPath(name, line, word.text); text != "" {
		return text, at, nil
	}
	if last := word.text[strings.LastIndexByte(word.text, '.')+1:]; strings.Contains(content, last+"(") {
		if text := hoverFunction(last); text != "" {
			return text, at, nil
		}
	}
	if text, err := w.hoverRule(library, name, word.text); text != "" || err != nil {
		return text, at, err
	}
	if strings.Contains(content, "isInCodeList") || namesList().MatchString(content) {
		if list, err := library.CodeList(word.text); err == nil {
			return fmt.Sprintf("**%s** %s, version %s, %s", list.Name, list.Title, list.Version, numeral.Count(list.Len(), "code")), at, nil
		}
	}
	if of := shapeAt(k, pathAt(w.Text(name), line, indentOf(content)))[word.text]; of != nil {
		return "**" + word.text + "**: " + of.About, at, nil
	}
	return "", at, nil
}

// namesList finds the key of a code list, on a line of its own, as the first of an entry or
// between braces.
var namesList = pattern.Later(`(^|[\s{,-])list:\s`)

// calledAt is the name at a column, in a word such as this.number.matches, if it is called there.
func calledAt(line string, w word, column int) word {
	runes := []rune(line)
	start, end := min(max(column, w.Column), w.End)-1, min(max(column, w.Column), w.End)-1
	for start > w.Column-1 && runes[start-1] != '.' {
		start--
	}
	for end < w.End-1 && runes[end] != '.' {
		end++
	}
	if end >= len(runes) || runes[end] != '(' {
		return word{}
	}
	return word{start + 1, end + 1, string(runes[start:end])}
}

// hoverFunction is what is said of a function; empty where there is none of that name.
func hoverFunction(name string) string {
	for _, f := range expr.Functions() {
		if f.Name == name {
			return "`" + strings.Join(f.Signatures, "`\n\n`") + "`\n\n" + f.Doc + "\n\nExample: `" + f.Example + "`"
		}
	}
	return ""
}

func (w *Workspace) hoverTerm(library *engine.Library, code string) (string, error) {
	lists, err := listsOf(library, code)
	if err != nil {
		return "", err
	}
	var all []string
	for _, t := range terms() {
		if t.field.BT == code {
			all = append(all, t.describe(lists, w.Language()))
		}
	}
	return strings.Join(all, "\n---\n\n"), nil
}

// hoverPath describes the term that a path of an expression reads.
func (w *Workspace) hoverPath(name string, line int, path string) string {
	parts := steps(path)
	if len(parts) < 2 {
		return ""
	}
	from := model.InvoiceType()
	switch parts[0] {
	case "this":
		from = contextType(w.Text(name), line)
	case "invoice":
	default:
		return ""
	}
	for n := len(parts); n > 1; n-- { // behind the term there may be functions
		if f := fieldAt(from, parts[1:n]); f != nil {
			for _, t := range terms() {
				if t.field == f {
					return t.describe(nil, w.Language())
				}
			}
		}
	}
	return ""
}

func (w *Workspace) hoverRule(library *engine.Library, name, id string) (string, error) {
	cards, err := ruletest.Cards(library, id)
	if err != nil || len(cards) == 0 {
		return "", nil //nolint:nilerr // a ruleset that does not load: Check says why
	}
	c := w.nearest(cards, name)
	c.Translate(w.Language())
	return fmt.Sprintf("**%s** %s, %s/%s\n\n%s\n\n%s", c.ID, c.Level, c.Ruleset, c.Version, c.Text, c.Message), nil
}

// nearest is the way in which a rule is written that a file means: that of the ruleset of the file, else
// one of the folder itself, else the newest.
func (w *Workspace) nearest(cards []ruletest.Card, name string) *ruletest.Card {
	ruleset := path.Dir(name)
	i := slices.IndexFunc(cards, func(c ruletest.Card) bool { return slices.Contains(c.Rulesets, ruleset) })
	if i < 0 {
		i = max(0, slices.IndexFunc(cards, func(c ruletest.Card) bool { return w.has(c.File) }))
	}
	return &cards[i]
}

// A Place is a range of a file.
type Place struct {
	File string
	Range
}

// Definition finds where the rule, constant or parameter at a place is written, or the code
// list that is a file, in the folder itself or among the built-in files; found is false for
// anything else.
func (w *Workspace) Definition(name string, line, column int) (place Place, found bool, err error) {
	content := lineOf(w.Text(name), line)
	word := wordAt(content, column)
	library, err := w.Library()
	if err != nil || word.text == "" {
		return place, false, err
	}
	if s := w.symbolAt(library, name, line, column); s.kind == symbolParameter {
		return constant(library, name, s.name)
	}
	if file := "codelists/" + word.text + ".yaml"; !strings.Contains(word.text, "/") {
		if _, err := fs.Stat(library.FS(), file); err == nil {
			return Place{file, Range{1, 1, 1}}, true, nil
		}
	}
	cards, err := ruletest.Cards(library, word.text)
	if err != nil || len(cards) == 0 {
		return place, false, nil //nolint:nilerr // a ruleset that does not load: Check says why
	}
	c := w.nearest(cards, name)
	return Place{c.File, Range{c.Line, 1, 1}}, true, nil
}

// has reports whether the folder itself has a file.
func (w *Workspace) has(file string) bool { return w.Text(file) != "" }

// constant finds where a constant or parameter that a file names is defined: in the ruleset of
// the file, or of the file that it translates; of an overlay in the overlay itself, or in what
// it rests on.
func constant(library *engine.Library, name, constant string) (place Place, found bool, err error) {
	for _, s := range rulesetsOf(library, name) {
		if file, line, found := s.Constant(constant); found {
			return Place{file, Range{line, 1, 1}}, true, nil
		}
	}
	return place, false, library.Ended()
}

// rulesetsOf are the rulesets whose constants a file names. One that does not load is not
// among them: Check says why.
func rulesetsOf(library *engine.Library, name string) (all []*engine.Ruleset) {
	parts := strings.Split(name, "/")
	if len(parts) > 2 && parts[0] == words.Folder {
		parts = parts[2:]
	}
	if len(parts) == 3 {
		if s, err := library.Ruleset(parts[0] + "/" + parts[1]); err == nil {
			all = append(all, s)
		}
		return all
	}
	if len(parts) != 2 || parts[0] != engine.FolderOfOverlays {
		return nil
	}
	overlay, err := library.Overlay(strings.TrimSuffix(parts[1], ".yaml"))
	if err != nil {
		return nil
	}
	for _, o := range append([]*engine.Overlay{overlay}, overlay.Ancestors(library)...) {
		if s := o.Rules(); s != nil {
			all = append(all, s)
		}
		names := slices.Concat(o.Rulesets, o.On.Rulesets)
		for _, id := range o.On.Profiles {
			if p, err := library.Profile(id); err == nil {
				names = append(names, p.Rulesets...)
			}
		}
		for _, id := range names {
			if s, err := library.Ruleset(id); err == nil {
				all = append(all, s)
			}
		}
	}
	return all
}
