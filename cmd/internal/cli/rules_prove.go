package cli

import (
	"encoding/json"
	"fmt"
	"io"

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
}

func newRulesProve() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove RULESET... --original FILE",
		Short: "Hold rules against the published Schematron on documents made from its asserts",
		Long: `Prove reads what the asserts of a published file look at, and makes documents of it: without
an element, with an empty one, with two, with the values that the assert names and those at
their boundaries, with what the schema allows and the document lacks. Saxon runs the file on
them (make saxon), the program its rules, and of every rule is said on how many documents both
agree and on how many it fired. Only documents that fit their schema are compared.

Exit status: 0 when nothing differs, 1 when something does.`,
		Example: `  einvoice rules prove cius-ro --original RO-validation.xslt
  einvoice rules prove nlcius --original si-ubl.xslt --original nlcius-cii.xslt --on invoices/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return prove(cmd, args, f) },
	}
	cmd.Flags().StringArrayVar(&f.originals, "original", nil, "published `FILE`, compiled to XSLT; several for several syntaxes")
	cmd.Flags().StringVar(&f.on, "on", "", "folder of invoices to change as well, such as those that declare the profile")
	cmd.Flags().StringVar(&f.saxon, "saxon", "bin/saxon", "folder of Saxon's libraries")
	cmd.Flags().IntVar(&f.documents, "documents", 24, "documents to make for each assert")
	cmd.Flags().IntVar(&f.rounds, "rounds", 3, "rounds, of which the later ones are for rules that did not fire or did not pass")
	cmd.Flags().StringVarP(&f.output, "output", "o", "text", "how to report: text, json")
	_ = cmd.MarkFlagRequired("original")
	rulesetsFlag(cmd, &f.dir)
	return cmd
}

func prove(cmd *cobra.Command, rulesets []string, f proveFlags) error {
	if f.output != "text" && f.output != "json" {
		return fmt.Errorf("unknown output %q: use text or json", f.output)
	}
	library, err := openLibrary(f.dir)
	if err != nil {
		return err
	}
	proof, err := proving.Prove(cmd.Context(), library, proving.Options{
		Rulesets: rulesets, Originals: f.originals, On: f.on, Documents: f.documents, Rounds: f.rounds, Saxon: proving.Saxon{Jars: f.saxon},
	}, func(said string) { fmt.Fprintln(cmd.ErrOrStderr(), said) })
	if err != nil {
		return err
	}
	if f.output == "json" {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetIndent("", "  ")
		err = encoder.Encode(proof)
	} else {
		writeProof(cmd.OutOrStdout(), proof)
	}
	if err == nil && proof.Differs() > 0 {
		err = errInvalid
	}
	return err
}

func writeProof(w io.Writer, p *proving.Proof) {
	for _, r := range p.Rules {
		switch {
		case r.Equal+r.Differs == 0:
			fmt.Fprintf(w, "%s: no document was made for it\n", r.Rule)
			continue
		case r.Differs > 0:
			fmt.Fprintf(w, "%s: equal on %d documents, fired on %d; differs on %d\n", r.Rule, r.Equal, r.Fired, r.Differs)
			fmt.Fprintf(w, "  here %s, there %s: %s\n", levelOrPasses(string(r.Example.Ours)), levelOrPasses(string(r.Example.Theirs)), r.Example)
		default:
			fmt.Fprintf(w, "%s: equal on %d documents, fired on %d\n", r.Rule, r.Equal, r.Fired)
		}
	}
	for _, s := range p.Stops {
		fmt.Fprintf(w, "%s:%d: %s stops it on %d documents: %s: %s\n", s.Original, s.Line, s.Rule, s.Count, s.Why, &s.Smallest)
	}
	fmt.Fprintf(w, "%d documents, %d rules: %d differ\n", p.Documents, len(p.Rules), p.Differs())
}

func levelOrPasses(level string) string {
	if level == "" {
		return "passes"
	}
	return level
}
