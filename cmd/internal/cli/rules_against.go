package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/numeral"
	"einvoice/service/importer"
	"einvoice/service/proving"

	"github.com/spf13/cobra"
)

// importAgainst says what a release changes, and writes it as a version of its own.
func importAgainst(cmd *cobra.Command, library *engine.Library, files []string, f importFlags) error {
	now, err := releases(files, f)
	if err != nil {
		return err
	}
	log := cmd.ErrOrStderr()
	none := func(string) bool { return false }
	t, err := translateFiles(log, library, files, f, none)
	if err != nil {
		return err
	}
	var changes []importer.Change
	var before *engine.Validator
	refused := t.refused
	if set, err := library.Ruleset(f.against[0]); err == nil && len(f.against) == 1 {
		changes = importer.ChangesOf(set, now)
		if f.extends == "" {
			f.extends = f.against[0]
		}
		if before, err = library.Validator(f.against[0]); err != nil {
			return err
		}
	} else {
		if _, missing := os.Stat(f.against[0]); missing != nil {
			return fmt.Errorf("--against %q is neither a file nor a ruleset: %w", f.against[0], err)
		}
		if len(f.against) != len(files) {
			return fmt.Errorf("--against names %s for %d: give the one before for each", numeral.Count(len(f.against), "file"), len(files))
		}
		old, err := releases(f.against, f)
		if err != nil {
			return err
		}
		changes = importer.Changes(old, now)
		if f.on != "" {
			was, err := translateFiles(io.Discard, library, f.against, f, none)
			if err != nil {
				return err
			}
			refused = append(refused, was.refused...)
			if before, err = tried(library, f, was); err != nil {
				return err
			}
		}
	}
	var effects map[string]*proving.Effect
	if f.on != "" {
		after, err := tried(library, f, t)
		if err != nil {
			return err
		}
		on, err := proving.EffectsOn(cmd.Context(), before, after, f.on)
		if err != nil {
			return err
		}
		effects = on.Rules
		fmt.Fprintf(log, "%s: %s\n", f.on, on)
	}
	writeChanges(cmd.OutOrStdout(), changes, effects, refused)
	if f.to != "" {
		if err := writeVersion(cmd.OutOrStdout(), library, f, t, changes); err != nil {
			return err
		}
	}
	return t.err()
}

func releases(files []string, f importFlags) (all []*importer.Release, err error) {
	for _, file := range files {
		root, inside, err := f.inside(file)
		if err != nil {
			return nil, err
		}
		r, err := importer.ReadRelease(root, inside, f.phase)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// tried runs translated rules as they are.
func tried(library *engine.Library, f importFlags, t *translatedFiles) (*engine.Validator, error) {
	name, version, _ := strings.Cut(f.ruleset, "/")
	l, err := importer.Try(importer.Header{Ruleset: name, Version: version, Layer: f.layer}, t.rules, t.lists, library.FS())
	if err != nil {
		return nil, err
	}
	return l.Validator(f.ruleset)
}

func writeChanges(w io.Writer, changes []importer.Change, effects map[string]*proving.Effect, refused []importer.Refusal) {
	count := map[importer.ChangeKind]int{}
	listed := map[string]bool{}
	for _, c := range changes {
		count[c.Kind]++
		listed[c.ID] = true
		fmt.Fprintf(w, "%s %s\n", c.Kind, c.ID)
		for _, what := range c.What {
			fmt.Fprintf(w, "  %s\n", what)
		}
		switch untried := slices.ContainsFunc(refused, func(r importer.Refusal) bool { return r.ID == c.ID }); {
		case effects != nil && untried && effects[c.ID] == nil:
			fmt.Fprintln(w, "  on invoices: not known, as it is not translated")
		case effects != nil && untried:
			writeEffect(w, effects[c.ID], true)
			fmt.Fprintln(w, "  on invoices more may differ, as a part of it is not translated")
		default:
			writeEffect(w, effects[c.ID], effects != nil)
		}
	}
	for _, id := range sortedKeys(effects) { // by what stands around it
		if !listed[id] {
			fmt.Fprintf(w, "same %s\n", id)
			writeEffect(w, effects[id], true)
		}
	}
	fmt.Fprintf(w, "%d new, %d gone, %d changed\n", count[importer.Added], count[importer.Gone], count[importer.Changed])
}

func sortedKeys(effects map[string]*proving.Effect) (ids []string) {
	for id := range effects {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func writeEffect(w io.Writer, e *proving.Effect, looked bool) {
	switch {
	case e == nil && looked:
		fmt.Fprintln(w, "  on no invoice does it decide otherwise")
	case e == nil:
	default:
		if e.Only > 0 {
			fmt.Fprintf(w, "  fires on %d more, such as %s\n", e.Only, e.OnlyIn)
		}
		if e.Before > 0 {
			fmt.Fprintf(w, "  no longer fires on %d, such as %s\n", e.Before, e.BeforeIn)
		}
		if e.Level > 0 {
			fmt.Fprintf(w, "  fires at another level on %d\n", e.Level)
		}
	}
}

// writeVersion writes what is new and changed as a version that extends another, with the
// words that its rules have.
func writeVersion(out io.Writer, library *engine.Library, f importFlags, t *translatedFiles, changes []importer.Change) error {
	if f.extends == "" {
		return errors.New("--to writes a version that extends another: name that by --extends")
	}
	base, err := library.Ruleset(f.extends)
	if err != nil {
		return err
	}
	name, version, _ := strings.Cut(f.ruleset, "/")
	h := importer.Header{Ruleset: name, Version: version, Layer: string(base.Layer), Extends: f.extends, Words: func(id string) (message, text string) {
		if r, is := base.ByID[id]; is && !strings.Contains(r.Message.Value, "{") {
			return r.Message.Value, r.Text
		}
		return "", ""
	}}
	take := map[string]bool{}
	for _, c := range changes {
		_, has := base.ByID[c.ID]
		switch {
		case c.Kind == importer.Gone && has:
			h.Without = append(h.Without, c.ID)
		case c.Kind != importer.Gone:
			take[c.ID] = true
		}
	}
	part := &translatedFiles{lists: t.lists}
	for _, r := range t.rules {
		if take[r.ID] {
			part.rules = append(part.rules, r)
		}
	}
	return writeImported(out, f, h, part)
}
