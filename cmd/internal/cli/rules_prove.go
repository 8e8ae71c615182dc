package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/service/proving"

	"github.com/spf13/cobra"
)

// A proveFlags is what rules prove is asked for.
type proveFlags struct {
	originals []string
	on, saxon string
	documents int
	rounds    int
	output    string
	dir       string
	verdicts  string
	to        string
	record    string
}

func newRulesProve() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove RULESET... [flags]",
		Short: "Compare rules with the published Schematron on documents made from its asserts",
		Long: `Prove makes documents from the asserts of a published file: without an element that they read,
with an empty one, with two, with the values that the assert names and those at their boundaries, and
with elements that the schema allows and the document lacks. Saxon runs the file on them (make saxon),
and the program runs its rules. For every rule, the output has the number of documents on which both
agree and on which the rule fired. Only documents that are valid by their schema count.

Without Java, --verdicts compares with the recorded verdicts of a folder: a prepared suite, or a folder
that --to wrote.

Exit status: 0 when nothing differs, 1 when something does.`,
		Example: `  einvoice rules prove cius-ro --original RO-validation.xslt
  einvoice rules prove cius-ro --verdicts ../shared/countries/ro
  einvoice rules prove nlcius --original si-ubl.xslt --original nlcius-cii.xslt --on invoices/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return prove(cmd, args, f) },
	}
	cmd.Flags().StringArrayVar(&f.originals, "original", nil, "published `FILE`, compiled to XSLT; several for several syntaxes")
	cmd.Flags().StringVar(&f.on, "on", "", "folder of invoices to change as well, such as those that declare the profile")
	cmd.Flags().StringVar(&f.saxon, "saxon", "bin/saxon", "folder of Saxon's libraries")
	f.documents = 24
	countVar(cmd.Flags(), &f.documents, "documents", "documents to make for each assert")
	f.rounds = 3
	countVar(cmd.Flags(), &f.rounds, "rounds", "rounds, of which the later ones are for rules that did not fire or did not pass")
	cmd.Flags().StringVarP(&f.output, "output", "o", "text", "how to report: text, json")
	cmd.Flags().StringVar(&f.verdicts, "verdicts", "", "folder with documents and their recorded verdicts (verdicts.jsonl), in place of --original")
	cmd.Flags().StringVar(&f.to, "to", "", "new folder to keep the documents and the verdicts of --original in, to be compared with by --verdicts where there is no Java")
	cmd.Flags().StringVar(&f.record, "record", "", "`FILE` to write the counts of each rule to")
	rulesetsFlag(cmd, &f.dir)
	return cmd
}

func prove(cmd *cobra.Command, rulesets []string, f proveFlags) error {
	if f.output != "text" && f.output != "json" {
		return fmt.Errorf("unknown output %q: use text or json", f.output)
	}
	if (len(f.originals) == 0) == (f.verdicts == "") {
		return errors.New("prove compares with published files (--original) or with recorded verdicts (--verdicts): give one of the two")
	}
	library, err := openLibrary(f.dir)
	if err != nil {
		return err
	}
	var proof *proving.Proof
	if f.verdicts != "" {
		proof, err = proveRecorded(cmd, library, rulesets, f.verdicts)
	} else {
		proof, err = proveOriginals(cmd, library, rulesets, f)
	}
	if err != nil {
		return err
	}
	if f.record != "" {
		if err := proof.Record(f.record, rulesets); err != nil {
			return err
		}
	}
	if f.output == "json" {
		err = writeJSON(cmd.OutOrStdout(), proof)
	} else {
		writeProof(cmd.OutOrStdout(), proof)
	}
	if err == nil && proof.Differs() > 0 {
		err = errInvalid
	}
	return err
}

func proveOriginals(cmd *cobra.Command, library *engine.Library, rulesets []string, f proveFlags) (proof *proving.Proof, err error) {
	o := proving.Options{Rulesets: rulesets, Originals: f.originals, On: f.on, Documents: f.documents, Rounds: f.rounds, Saxon: proving.Saxon{Jars: f.saxon}}
	if f.to != "" {
		if err := os.MkdirAll(f.to, 0o755); err != nil {
			return nil, err
		}
		lines, err := os.OpenFile(filepath.Join(f.to, "verdicts.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, lines.Close()) }()
		layer, _, _ := strings.Cut(rulesets[0], "/")
		kept := 0
		o.Keep = func(data []byte, syntax model.Syntax, fired map[string]engine.Level) error {
			kept++
			name := fmt.Sprintf("%06d.xml", kept)
			if err := os.WriteFile(filepath.Join(f.to, name), data, 0o644); err != nil {
				return err
			}
			return json.NewEncoder(lines).Encode(map[string]any{"file": name, "syntax": syntax, "schema": true, "fired": map[string]any{layer: fired}})
		}
	}
	return proving.Prove(cmd.Context(), library, o, func(said string) { fmt.Fprintln(cmd.ErrOrStderr(), said) })
}

func proveRecorded(cmd *cobra.Command, library *engine.Library, rulesets []string, folder string) (*proving.Proof, error) {
	prepared, err := conformance.PreparedVerdicts(folder)
	if err != nil {
		return nil, err
	}
	extended, err := extendedLayers(library, rulesets)
	if err != nil {
		return nil, err
	}
	verdicts := map[string]map[string]engine.Level{}
	for name, v := range prepared {
		if !v.SchemaValid || v.Stopped {
			continue
		}
		fired, decided := map[string]engine.Level{}, true
		for _, layer := range extended {
			maps.Copy(fired, v.Fired[layer])
		}
		for _, ref := range rulesets {
			layer, _, _ := strings.Cut(ref, "/")
			decided = decided && v.Fired[layer] != nil
			maps.Copy(fired, v.Fired[layer])
		}
		if decided {
			verdicts[name] = fired
		}
	}
	return proving.Recorded(cmd.Context(), library, rulesets, folder, verdicts)
}

// extendedLayers are the families that rulesets extend: verdicts on the rules that they take
// over may be recorded under these, as those of EN 16931 for fr-ctc-extended.
func extendedLayers(library *engine.Library, rulesets []string) (layers []string, err error) {
	for _, ref := range rulesets {
		own, _, _ := strings.Cut(ref, "/")
		for ref != "" {
			set, err := library.Ruleset(ref)
			if err != nil {
				return nil, err
			}
			if set.Name != own {
				layers = append(layers, set.Name)
			}
			ref = set.Extends
		}
	}
	return layers, nil
}

func writeProof(w io.Writer, p *proving.Proof) {
	for _, r := range p.Rules {
		switch {
		case r.Equal+r.Differs == 0:
			fmt.Fprintf(w, "%s: no document was made for it\n", r.Rule)
			continue
		case r.Differs > 0:
			fmt.Fprintf(w, "%s: equal on %s, fired on %d; differs on %d\n", r.Rule, numeral.Count(r.Equal, "document"), r.Fired, r.Differs)
			fmt.Fprintf(w, "  here %s, there %s: %s\n", levelOrPasses(string(r.Example.Ours)), levelOrPasses(string(r.Example.Theirs)), r.Example)
		default:
			fmt.Fprintf(w, "%s: equal on %s, fired on %d\n", r.Rule, numeral.Count(r.Equal, "document"), r.Fired)
		}
	}
	for _, s := range p.Stops {
		fmt.Fprintf(w, "%s:%d: %s stops it on %s: %s: %s\n", s.Original, s.Line, s.Rule, numeral.Count(s.Count, "document"), s.Why, &s.Smallest)
	}
	fmt.Fprintf(w, "%s, %s: %d differ\n", numeral.Count(p.Documents, "document"), numeral.Count(len(p.Rules), "rule"), p.Differs())
}

func levelOrPasses(level string) string {
	if level == "" {
		return "passes"
	}
	return level
}
