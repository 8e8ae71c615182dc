package workbench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/files"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/service/authoring"
	"einvoice/service/operation"
	"einvoice/service/validate"

	"gopkg.in/yaml.v3"
)

// Bounds of a draft.
const (
	mostDraftFiles = 32
	mostDraftBytes = 1 << 20
	keptDrafts     = 2 // services over drafts that are kept for the next call
)

// drafts keep the desks over the drafts that were asked for last.
type drafts struct {
	mu   sync.Mutex
	last []keptDraft
}

type keptDraft struct {
	key  [sha256.Size]byte
	desk *Desk
}

// desk is a desk over a draft. One that does not load is a *problem.Error.
func (k *drafts) desk(ctx context.Context, d *Desk, texts map[string]string) (*Desk, error) {
	if err := checkDraft(texts); err != nil {
		return nil, err
	}
	key := keyOf(texts)
	k.mu.Lock()
	for _, have := range k.last {
		if have.key == key {
			k.mu.Unlock()
			c := *have.desk
			c.usual, c.always = d.usual, d.always // of whoever asks
			return &c, nil
		}
	}
	k.mu.Unlock()
	library, err := engine.Open(engine.Layered(folderOf(texts), d.base))
	if err != nil {
		return nil, wrong("draft", "the draft does not load: "+err.Error(), "correct what draft lists")
	}
	free := library.Until(ctx)
	err = validate.CheckLibrary(library, false)
	ended := library.Ended()
	free() // the library is kept longer than the request
	if ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, wrong("draft", "the draft has mistakes: "+firstLine(err), "correct what draft lists")
	}
	made := &Desk{service: operation.New(library, d.config), config: d.config, files: d.files, usual: d.usual, always: d.always, base: d.base, drafts: &drafts{}, archive: d.archive}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = append([]keptDraft{{key, made}}, k.last...)
	k.last = k.last[:min(len(k.last), keptDrafts)]
	return made, nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func keyOf(texts map[string]string) [sha256.Size]byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(h, "%d %s %d %s", len(name), name, len(texts[name]), texts[name])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func folderOf(texts map[string]string) fs.FS {
	folder := fstest.MapFS{}
	for name, text := range texts {
		folder[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return folder
}

// checkDraft refuses names that are not those of rule files, and what is too large.
func checkDraft(texts map[string]string) error {
	if len(texts) > mostDraftFiles {
		return wrong("draft", fmt.Sprintf("the draft has more than %d files", mostDraftFiles), "leave some out")
	}
	total := 0
	for name, text := range texts {
		total += len(text)
		if !fs.ValidPath(name) || len(name) > 200 || (path.Ext(name) != ".yaml" || files.KindOf(name) == nil) && !isRows(name) {
			return wrong("draft", fmt.Sprintf("%.60q is not a name of a file of rules", name), "use overlays/NAME.yaml, FAMILY/VERSION/NAME.yaml, tables/NAME.yaml or tables/NAME.csv")
		}
	}
	if total > mostDraftBytes {
		return wrong("draft", fmt.Sprintf("the draft has more than %d bytes", mostDraftBytes), "split it")
	}
	return nil
}

// isRows reports whether a file has the rows of a look-up table.
func isRows(name string) bool {
	return path.Dir(name) == engine.FolderOfTables && path.Ext(name) == ".csv"
}

// workspace is the draft as the language service has it, which describes things in the language of the
// settings.
func (d *Desk) workspace(ctx context.Context, s *Settings) (*authoring.Workspace, error) {
	if err := checkDraft(s.Draft); err != nil {
		return nil, err
	}
	w := authoring.Open(folderOf(s.Draft), d.base)
	w.Accept(s.Language)
	w.Until(ctx)
	return w, nil
}

// DraftRequest asks what is wrong with a draft, and how its examples come out.
type DraftRequest struct {
	Settings
}

// Drafted says what is wrong with a draft.
type Drafted struct {
	Mistakes []Mistake     `json:"mistakes"`
	Examples []ExampleDone `json:"examples"` // none while there are mistakes
	Passed   int           `json:"passed"`
	// Overlays and Rulesets are those that the draft writes.
	Overlays []string `json:"overlays"`
	Rulesets []string `json:"rulesets"`
}

// Corrections are tried out, for which all of the draft is checked again. So many mistakes get some
// at once, and no further one when so many bytes were tried.
const (
	mostProven      = 4
	mostProvenBytes = 256 << 10
)

// ExampleDone is how an example of a rule came out.
type ExampleDone struct {
	Rule  string `json:"rule"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Fires bool   `json:"fires"` // what the example says
	Error string `json:"error,omitempty"`
}

func (d *Desk) draft(ctx context.Context, r *DraftRequest) (*Drafted, error) {
	w, err := d.workspace(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	language, err := d.language(r.Language)
	if err != nil {
		return nil, err
	}
	out := &Drafted{Mistakes: []Mistake{}, Examples: []ExampleDone{}, Overlays: []string{}, Rulesets: []string{}}
	found, err := w.Check()
	if ended := w.Ended(); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, wrong("draft", err.Error(), "correct it")
	}
	wrongOnes, proven, tried, size := 0, 0, 0, 0
	for _, text := range r.Draft {
		size += len(text)
	}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		for _, m := range found[file] {
			mistake := Mistake{File: m.File, Line: m.Line, Column: m.Column, End: m.End, Message: m.In(language).Message, Warning: m.Warning}
			if len(m.Fixes) > 0 && proven < mostProven && tried < mostProvenBytes && ctx.Err() == nil {
				proven++
				tried += size * len(m.Fixes)
				for _, fix := range w.Proven(m) {
					mistake.Fixes = append(mistake.Fixes, Fix(fix.In(language)))
				}
			}
			if !m.Warning {
				wrongOnes++
			}
			out.Mistakes = append(out.Mistakes, mistake)
		}
	}
	if ended := w.Ended(); ended != nil {
		return nil, ended
	}
	out.Overlays, out.Rulesets = written(r.Draft)
	if wrongOnes > 0 {
		return out, nil
	}
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	sets, err := library.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for _, e := range ruletest.Examples(library, library.OwnRules(set), readExample) {
			out.Examples = append(out.Examples, ExampleDone{e.Rule, e.File, e.Line, e.Fires, language.Say(e.Error)})
			if e.OK() {
				out.Passed++
			}
		}
	}
	return out, library.Ended()
}

// written are the overlays and rulesets that a draft writes.
func written(texts map[string]string) (overlays, rulesets []string) {
	overlays, rulesets = []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if overlay, ok := OverlayOf(name); ok {
			overlays = append(overlays, overlay)
		}
		if ref, ok := rulesetOf(name); ok && !slices.Contains(rulesets, ref) {
			rulesets = append(rulesets, ref)
		}
	}
	return overlays, rulesets
}

// OverlayOf is the name of the overlay that a file of rules is.
func OverlayOf(file string) (name string, isOverlay bool) {
	folder, base := path.Split(file)
	return strings.TrimSuffix(base, ".yaml"), folder == "overlays/"
}

// rulesetOf is the ruleset, as FAMILY/VERSION, that a file of rules is part of.
func rulesetOf(file string) (ref string, isRuleset bool) {
	ref = path.Dir(file)
	return ref, strings.Count(file, "/") == 2
}

// PlaceRequest asks about a place of a file of a draft; line and column count from 1.
type PlaceRequest struct {
	Settings
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Completions are what can be written at a place.
type Completions struct {
	Completions []Completion `json:"completions"`
}

// Completion is one thing that can be written at a place.
type Completion struct {
	Label  string `json:"label"`
	Detail string `json:"detail"`
	Doc    string `json:"doc"`
	Kind   string `json:"kind"`
}

func (d *Desk) complete(ctx context.Context, r *PlaceRequest) (*Completions, error) {
	w, err := d.workspace(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	all, err := w.Complete(r.File, r.Line, r.Column)
	if err != nil {
		return nil, err
	}
	out := &Completions{[]Completion{}}
	for _, c := range all {
		out.Completions = append(out.Completions, Completion{c.Label, c.Detail, c.Doc, string(c.Kind)})
	}
	return out, nil
}

// Hovered describes what is at a place, in Markdown; "" for nothing.
type Hovered struct {
	Text   string `json:"text"`
	Column int    `json:"column"`
	End    int    `json:"end"`
}

func (d *Desk) hover(ctx context.Context, r *PlaceRequest) (*Hovered, error) {
	w, err := d.workspace(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	text, at, err := w.Hover(r.File, r.Line, r.Column)
	if err != nil {
		return nil, err
	}
	return &Hovered{text, at.Column, at.End}, nil
}

// From is a draft whose rules are in force from a day to come on: files without effective get
// it. What is in force already stays so until then, so that no file of the draft may replace
// one that there is, or add to a version that there is.
func (d *Desk) From(texts map[string]string, day engine.Day) (map[string]string, error) {
	if err := checkDraft(texts); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, text := range texts {
		there := name
		if ref, ok := rulesetOf(name); ok {
			there = ref
		} else if _, ok := OverlayOf(name); !ok {
			return nil, wrong("from", fmt.Sprintf("%q cannot say from when it is in force", name), "publish it on the day")
		}
		if _, err := fs.Stat(d.base, there); err == nil {
			return nil, wrong("from", fmt.Sprintf("%q is in force already, and would not be until %s", there, day), "give the draft another name or version")
		}
		stamped, err := withEffective(name, text, day)
		if err != nil {
			return nil, err
		}
		out[name] = stamped
	}
	return out, nil
}

// withEffective writes into a file of rules from when it is in force, above its first key.
func withEffective(name, text string, day engine.Day) (string, error) {
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(text), &file); err != nil || len(file.Content) == 0 || file.Content[0].Kind != yaml.MappingNode || len(file.Content[0].Content) == 0 {
		return "", wrong("draft", fmt.Sprintf("%q is not a file of rules", name), "correct what draft lists")
	}
	root := file.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "effective" {
			continue
		}
		var said struct{ From string }
		if err := root.Content[i+1].Decode(&said); err != nil || said.From < string(day) {
			return "", wrong("from", fmt.Sprintf("%q says of itself that it is in force earlier than %s", name, day), "take effective out of the file, or choose its day")
		}
		return text, nil
	}
	first := root.Content[0]
	if root.Style&yaml.FlowStyle != 0 || first.Column != 1 {
		return "", wrong("from", fmt.Sprintf("%q has no line to write effective in", name), "write each key of the file into a line of its own")
	}
	lines := strings.SplitAfter(text, "\n")
	lines = slices.Insert(lines, first.Line-1, fmt.Sprintf("effective: {from: %s}\n", day))
	return strings.Join(lines, ""), nil
}

// Ready reports whether a draft may come into force: it passes the strict check, which asks
// for examples of each variant, and all its examples do as they say.
func (d *Desk) Ready(ctx context.Context, texts map[string]string) error {
	if len(texts) == 0 {
		return errors.New("the draft has no file")
	}
	if err := checkDraft(texts); err != nil {
		return err
	}
	library, err := engine.Open(engine.Layered(folderOf(texts), d.base))
	if err != nil {
		return err
	}
	defer library.Until(ctx)()
	err = validate.CheckLibrary(library, true)
	if ended := library.Ended(); ended != nil {
		return ended
	}
	if err != nil {
		return fmt.Errorf("the check finds mistakes: %s", firstLine(err))
	}
	failed, err := failedExamples(library)
	if err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("an example of %s fails: %s", failed[0].Rule, failed[0].Error)
	}
	return nil
}

func failedExamples(library *engine.Library) (failed []ruletest.Result, err error) {
	sets, err := library.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for _, e := range ruletest.Examples(library, library.OwnRules(set), readExample) {
			if !e.OK() {
				failed = append(failed, e)
			}
		}
	}
	return failed, library.Ended()
}

func readExample(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }
