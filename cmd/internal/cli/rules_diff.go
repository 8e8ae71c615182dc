package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model/numeral"
	"einvoice/model/quote"

	"github.com/spf13/cobra"
)

func newRulesDiff() *cobra.Command {
	var output, on, tag string
	var days []string
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW | diff --at DAY --at DAY [flags] [RULES]",
		Short: "Report what changed between two rulesets, and which documents it affects",
		Long: `Diff compares rule by rule. OLD and NEW are each a built-in ruleset (FAMILY or
FAMILY/VERSION), the folder of a ruleset version, or a folder of rulesets of the
form FAMILY/VERSION/*.yaml. Where one is a folder of rulesets and the other is not,
the same family in the same version, else in its newest, is compared. Overlays of
folders are compared too, with what they add and change, and so are the code lists and look-up tables that
the rules ask.

With --at twice, the same rules are compared as they are in force on two days: those of
a folder, of a built-in ruleset, or all.

With --on, every XML document there is validated with the old rules alone and with the new rules alone, and
the documents on which they decide differently are listed. Overlays apply on top of the profile of each
document; a side without overlays runs the profile alone.`,
		Example: `  einvoice rules diff xrechnung/2.3 xrechnung/3.0
  einvoice rules diff en16931 my-rules/ --on invoices/
  einvoice rules diff --at 2026-12-31 --at 2027-01-01 my-rules/`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output != "text" && output != "json" {
				return fmt.Errorf("unknown output %q: use text or json", output)
			}
			_, language, err := openLibraryIn(tag)
			if err != nil {
				return err
			}
			before, after, err := openSides(args, days)
			if err != nil {
				return err
			}
			tellSkipped(cmd, on)
			diffs, err := diffSides(cmd.Context(), before, after, on)
			if err != nil {
				return err
			}
			if output == "json" {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"rulesets": diffs})
			}
			if len(diffs) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), language.Say("no difference"))
			}
			for i := range diffs {
				diffPrinter{cmd.OutOrStdout(), language}.print(&diffs[i])
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how to report: text, json")
	cmd.Flags().StringVar(&on, "on", "", "folder of XML documents to validate with both; PDFs in it are skipped and counted")
	cmd.Flags().StringArrayVar(&days, "at", nil, "compare what is in force on this day with what is on another; to be given twice")
	messagesFlag(cmd, &tag)
	_ = cmd.MarkFlagDirname("on")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.ValidArgsFunction = completeRulesets
	return cmd
}

// openSides opens what is compared.
func openSides(args, days []string) (before, after *side, err error) {
	if len(days) == 0 {
		if len(args) != 2 {
			return nil, nil, fmt.Errorf("diff compares two rulesets, and %d are named; or one on two days, with --at twice", len(args))
		}
		if before, err = openSide(args[0]); err != nil {
			return nil, nil, err
		}
		after, err = openSide(args[1])
		return before, after, err
	}
	if len(days) != 2 || len(args) > 1 {
		return nil, nil, errors.New("--at is given twice, with one ruleset or folder at most: its rules are compared as they are in force on the two days")
	}
	parsed := make([]engine.Day, len(days))
	for i, text := range days {
		if parsed[i], err = engine.ParseDay(text); err != nil {
			return nil, nil, fmt.Errorf("--at: %w", err)
		}
	}
	return sidesAt(args, parsed)
}

// A side is what OLD or NEW means: rulesets of a library.
type side struct {
	library *engine.Library
	refs    []string // family/version
	folder  bool     // a whole folder of rulesets
	behind  bool     // refs are the built-in rulesets, whose code lists or profiles the folder has
	// overlays are those that the folder brings.
	overlays []string
	at       engine.Day // on which the rules are in force; "" for all
}

// openSide prefers a folder that is there to a built-in ruleset of that name.
func openSide(arg string) (*side, error) {
	if !isFolders(arg) {
		library, err := openLibrary("")
		if err != nil {
			return nil, err
		}
		s, err := library.Ruleset(arg)
		if err != nil {
			return nil, fmt.Errorf("%s is neither a folder nor a built-in ruleset: %w", arg, err)
		}
		return &side{library: library, refs: []string{s.Name + "/" + s.Version}}, nil
	}
	if dirs := foldersOf(arg); len(dirs) > 1 {
		return openRulesets(arg)
	}
	dir, err := filepath.Abs(arg)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) > 0 { // a version's own folder: its family's is above it
		root := filepath.Dir(filepath.Dir(dir))
		library, err := openLibrary(root)
		if err != nil {
			return nil, err
		}
		ref, err := filepath.Rel(root, dir)
		return &side{library: library, refs: []string{filepath.ToSlash(ref)}}, err
	}
	return openRulesets(arg)
}

// isFolders reports whether an argument names a folder, or several with commas between.
func isFolders(arg string) bool {
	return arg != "" && !slices.ContainsFunc(foldersOf(arg), func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
}

// openRulesets takes the versions that stand in a folder, and not the built-in
// ones behind it.
func openRulesets(arg string) (*side, error) {
	library, err := openLibrary(arg)
	if err != nil {
		return nil, err
	}
	own, _ := library.Own()
	s := &side{library: library, folder: true}
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	for family, all := range versions {
		for _, version := range all {
			if files, _ := fs.Glob(own, family+"/"+version+"/*.yaml"); len(files) > 0 {
				s.refs = append(s.refs, family+"/"+version)
			}
		}
	}
	if len(s.refs) == 0 { // it may have only code lists or profiles, which other rules refer to
		if s.refs, err = changedBehind(library, own); err != nil {
			return nil, err
		}
		s.behind = len(s.refs) > 0
	}
	if s.overlays, err = library.OwnOverlays(); err != nil {
		return nil, err
	}
	if len(s.refs)+len(s.overlays) == 0 {
		return nil, fmt.Errorf("%s has no ruleset, code list, profile or overlay; a folder of rulesets has the form FAMILY/VERSION/*.yaml, codelists/*.yaml, profiles/*.yaml, overlays/*.yaml", arg)
	}
	slices.Sort(s.refs)
	return s, nil
}

// changedBehind are all built-in rulesets where a folder has code lists or profiles.
func changedBehind(library *engine.Library, own fs.FS) (refs []string, err error) {
	data := 0
	for _, pattern := range []string{"codelists/*.yaml", "profiles/*.yaml"} {
		files, err := fs.Glob(own, pattern)
		if err != nil {
			return nil, err
		}
		data += len(files)
	}
	if data == 0 {
		return nil, nil
	}
	versions, err := library.Versions()
	for family, all := range versions {
		for _, version := range all {
			refs = append(refs, family+"/"+version)
		}
	}
	slices.Sort(refs)
	return refs, err
}

// find gives what a side has to set against a ruleset: the same, or, if it is not
// the other side's whole folder that is compared, the newest of the family.
func (s *side) find(ref string, newest bool) string {
	if slices.Contains(s.refs, ref) {
		return ref
	}
	found := ""
	family, _, _ := strings.Cut(ref, "/")
	for _, have := range s.refs {
		if strings.HasPrefix(have, family+"/") {
			found = have
		}
	}
	if !newest {
		return ""
	}
	return found
}

// addBehind adds the built-in rulesets behind a folder that is compared with one that changes
// what they refer to.
func (s *side) addBehind(other *side) {
	if !other.behind || s.behind || !s.folder {
		return
	}
	for _, ref := range other.refs {
		if _, err := s.library.Ruleset(ref); err == nil && !slices.Contains(s.refs, ref) {
			s.refs = append(s.refs, ref)
		}
	}
	slices.Sort(s.refs)
}

// pairs are the rulesets to compare, "" where a side has none.
func pairs(before, after *side) ([][2]string, error) {
	before.addBehind(after)
	after.addBehind(before)
	switch {
	case before.at != "":
		return pairsAt(before, after), nil
	case len(before.refs) == 0 || len(after.refs) == 0:
		return pairsOfOne(before, after), nil // the other side has overlays alone
	case !before.folder && !after.folder:
		return [][2]string{{before.refs[0], after.refs[0]}}, nil
	case before.folder && after.folder:
		var out [][2]string
		for _, ref := range before.refs {
			out = append(out, [2]string{ref, after.find(ref, false)})
		}
		for _, ref := range after.refs {
			if before.find(ref, false) == "" {
				out = append(out, [2]string{"", ref})
			}
		}
		return out, nil
	case after.folder:
		if ref := after.find(before.refs[0], true); ref != "" {
			return [][2]string{{before.refs[0], ref}}, nil
		}
	default:
		if ref := before.find(after.refs[0], true); ref != "" {
			return [][2]string{{ref, after.refs[0]}}, nil
		}
	}
	if len(before.overlays)+len(after.overlays) > 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("%s and %s have no family of rules in common", strings.Join(before.refs, ", "), strings.Join(after.refs, ", "))
}

// pairsOfOne are the rulesets of a folder set against none, where the other side has
// overlays alone; the ruleset that a folder of overlays is compared with is the same in both.
func pairsOfOne(before, after *side) (out [][2]string) {
	for _, ref := range before.refs {
		if before.folder {
			out = append(out, [2]string{ref, ""})
		}
	}
	for _, ref := range after.refs {
		if after.folder {
			out = append(out, [2]string{"", ref})
		}
	}
	return out
}

// A rulesetDiff is what became of one ruleset.
type rulesetDiff struct {
	Old     string                `json:"old"`
	New     string                `json:"new"`
	Changes []ruletest.RuleChange `json:"changes"`
	// Data are changes of the code lists and look-up tables that the rules ask, and of the
	// profiles that run them, with their overlays.
	Data []ruletest.RuleChange `json:"data,omitempty"`
	// Documents counts those that were validated with both.
	Documents int                         `json:"documents,omitempty"`
	Verdicts  []conformance.VerdictChange `json:"verdicts,omitempty"`
}

func diffSides(ctx context.Context, before, after *side, on string) ([]rulesetDiff, error) {
	all, err := pairs(before, after)
	if err != nil {
		return nil, err
	}
	var suites []*conformance.Suite
	if on != "" {
		if suites, err = conformance.Collect(on); err != nil {
			return nil, err
		}
	}
	var diffs []rulesetDiff
	for _, pair := range all {
		d := rulesetDiff{Old: pair[0], New: pair[1]}
		old, err := before.ruleset(d.Old)
		if err != nil {
			return nil, err
		}
		new, err := after.ruleset(d.New)
		if err != nil {
			return nil, err
		}
		d.Changes = ruletest.Compare(old, new)
		if d.Data, err = compareData(before.library, after.library, old, new); err != nil {
			return nil, err
		}
		if (before.behind || after.behind) && d.Old == d.New && len(d.Changes)+len(d.Data) == 0 {
			continue // built in, and the same on both sides
		}
		if on != "" {
			d.Verdicts, d.Documents, err = conformance.Impact(ctx, before.ref(d.Old), after.ref(d.New), suites)
			if err != nil {
				return nil, err
			}
		}
		diffs = append(diffs, d)
	}
	of, err := diffOverlays(ctx, before, after, suites)
	diffs = append(diffs, of...)
	if on != "" && err == nil && len(diffs) > 0 && !slices.ContainsFunc(diffs, func(d rulesetDiff) bool { return d.Documents > 0 }) {
		return nil, errors.New("there is no document to compare the rulesets on")
	}
	return diffs, err
}

// compareData compares what rules refer to and what runs them.
func compareData(before, after *engine.Library, old, new *engine.Ruleset) ([]ruletest.RuleChange, error) {
	if old == nil || new == nil || before == after {
		return nil, nil
	}
	data, err := ruletest.CompareData(before, after, old, new)
	if err != nil {
		return nil, err
	}
	profiles, err := ruletest.CompareProfiles(before, after, new.Name)
	return append(data, profiles...), err
}

func (s *side) ruleset(ref string) (*engine.Ruleset, error) {
	if ref == "" {
		return nil, nil
	}
	set, err := s.library.Ruleset(ref)
	if err != nil || s.at == "" {
		return set, err
	}
	return set.At(s.at), nil
}

func (s *side) ref(ref string) ruletest.Side {
	if ref == "" {
		return ruletest.Side{}
	}
	return ruletest.Side{Library: s.library, Ref: ref, At: s.at}
}

// A diffPrinter prints differences in a language; nil is English. What rules have, and the
// names of their parts, are as they are written.
type diffPrinter struct {
	w        io.Writer
	language *words.Language
}

func (p diffPrinter) say(sentence string) string { return p.language.Say(sentence) }

func (p diffPrinter) print(d *rulesetDiff) {
	name := func(ref string) string {
		if ref == "" {
			return p.say("nothing")
		}
		return ref
	}
	counts := map[string]int{}
	for _, c := range d.Changes {
		counts[c.Change]++
	}
	fmt.Fprintf(p.w, "%s -> %s: %s\n", name(d.Old), name(d.New), p.say(fmt.Sprintf("%d added, %d removed, %d changed", counts[ruletest.Added], counts[ruletest.Removed], counts[ruletest.Changed])))
	for _, c := range slices.Concat(d.Changes, d.Data) {
		fmt.Fprintf(p.w, "\n%s %s\n", p.say(c.Change), c.Rule)
		for _, part := range c.Parts {
			fmt.Fprintf(p.w, "  %s\n", part.Part)
			p.part("-", part.Before)
			p.part("+", part.After)
		}
	}
	if d.Documents > 0 {
		p.verdicts(d)
	}
}

func (p diffPrinter) part(sign, text string) {
	if text == "" {
		return
	}
	for line := range strings.Lines(text) {
		fmt.Fprintf(p.w, "    %s %s\n", sign, strings.TrimRight(line, "\n"))
	}
}

func (p diffPrinter) verdicts(d *rulesetDiff) {
	fmt.Fprintf(p.w, "\n%s\n", p.say(fmt.Sprintf("%s of %d decided differently", numeral.Count(len(d.Verdicts), "document"), d.Documents)))
	for _, v := range d.Verdicts {
		validity := ""
		if v.ValidBefore != v.ValidAfter {
			validity = p.say(map[bool]string{true: ": now valid", false: ": now invalid"}[v.ValidAfter])
		}
		fmt.Fprintf(p.w, "%s%s\n", quote.Name(v.Suite+"/"+v.Document), validity)
		for _, f := range v.Gone {
			fmt.Fprintf(p.w, "  - %s %s\n", f.Rule, f.Level)
		}
		for _, f := range v.New {
			fmt.Fprintf(p.w, "  + %s %s\n", f.Rule, f.Level)
		}
	}
}
