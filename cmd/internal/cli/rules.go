package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model/numeral"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List, explain, test and check rules",
	}
	cmd.AddCommand(newRulesList(), newRulesShow(), newRulesTest(), newRulesCheck(), newRulesExport(), newRulesFunctions(), newRulesImport(), newRulesProve(), newRulesCoverage(), newRulesDiff(), newRulesMutate(), newRulesSchema(), newRulesLog(), newRulesAt())
	return cmd
}

func newRulesList() *cobra.Command {
	var dir, tag string
	var at engine.Day
	cmd := &cobra.Command{
		Use:   "list [RULESET|OVERLAY...]",
		Short: "List the rules of rulesets, the newest version of each by default, and the overlays",
		Example: `  einvoice rules list
  einvoice rules list en16931/1.3.16
  einvoice rules list --at 2027-01-01
  einvoice rules list --language de xrechnung`,
		RunE: func(cmd *cobra.Command, args []string) error {
			library, language, err := openLibraryIn(tag, dir)
			if err != nil {
				return err
			}
			refs, named, err := overlaysAmong(library, args)
			if err != nil {
				return err
			}
			var sets []*engine.Ruleset
			if len(refs) > 0 || len(args) == 0 {
				if sets, err = chosenAt(library, refs, at); err != nil {
					return err
				}
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, s := range sets {
				fmt.Fprintf(table, "%s %s\t%s\t%s\tsha256 %s%s\n", s.Name, s.Version, s.Layer, language.Say(numeral.Count(len(s.Rules), "rule")), s.SHA256[:12], inForce(s.Effective, language))
				for _, r := range s.Rules {
					if len(r.Forms()) == 0 && r.Row == nil {
						continue // left out in each syntax
					}
					_, text := r.Said(language)
					fmt.Fprintf(table, "  %s\t%s\t%s\t%s%s\n", r.ID, r.Level, strings.Join(r.BTCodes.Value, " "), text, inForce(r.Effective, language))
				}
			}
			overlays, err := overlaysOn(library, at)
			if err != nil {
				return err
			}
			for _, o := range overlays {
				if len(args) == 0 || slices.Contains(named, o.Name) {
					listOverlay(table, o, at, language)
					named = slices.DeleteFunc(named, func(name string) bool { return name == o.Name })
				}
			}
			if len(named) > 0 {
				return fmt.Errorf("%s is not in force on %s; rules show says when it is", named[0], at)
			}
			return table.Flush()
		},
	}
	rulesetsFlag(cmd, &dir)
	messagesFlag(cmd, &tag)
	dayFlag(cmd, &at, "of each ruleset the newest version, and of it the rules, whose effective (if any) includes this day")
	return cmd
}

// inForce tells when something is, if not always.
func inForce(p engine.Period, language *words.Language) string {
	if p == (engine.Period{}) {
		return ""
	}
	return " (" + language.Say(fmt.Sprintf("in force %s", p)) + ")"
}

// chosenAt is chosen with what is in force on a day alone; "" for no day.
func chosenAt(library *engine.Library, refs []string, at engine.Day) ([]*engine.Ruleset, error) {
	if at == "" {
		return chosen(library, refs)
	}
	all := len(refs) == 0
	if all {
		versions, err := library.Versions()
		if err != nil {
			return nil, err
		}
		refs = slices.Sorted(maps.Keys(versions))
	}
	var sets []*engine.Ruleset
	for _, ref := range refs {
		if !strings.Contains(ref, "/") {
			version, err := library.VersionAt(ref, at)
			if _, none := errors.AsType[*engine.NotInForceError](err); none && all {
				continue
			}
			if err != nil {
				return nil, err
			}
			ref = version
		}
		s, err := library.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s.At(at))
	}
	return sets, nil
}

// chosen are the named rulesets, or the newest version of every family.
func chosen(library *engine.Library, refs []string) ([]*engine.Ruleset, error) {
	if len(refs) == 0 {
		versions, err := library.Versions()
		if err != nil {
			return nil, err
		}
		refs = slices.Sorted(maps.Keys(versions))
	}
	var sets []*engine.Ruleset
	for _, ref := range refs {
		s, err := library.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

func newRulesShow() *cobra.Command {
	var dir, tag string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show RULE | OVERLAY",
		Short: "Print a rule's card: what it says, how to correct a fault, its terms, expression, examples, and what refers to it; or what an overlay changes",
		Long: `Show prints the rule as each version of each ruleset has it, the newest first: with the rulesets
that have the same, the profiles that run it, the overlays that change its level, and where the
publisher's own words are. For an overlay it prints the owner, the documents and days that it applies to,
and each of its changes with the reason.`,
		Example: `  einvoice rules show BR-CO-10
  einvoice rules show --language fr BR-CO-10
  einvoice rules show --rulesets acme/ acme`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			library, language, err := openLibraryIn(tag, dir)
			if err != nil {
				return err
			}
			cards, err := ruletest.Cards(library, args[0])
			if err != nil {
				return err
			}
			if len(cards) == 0 {
				if shown, err := showOverlay(cmd.OutOrStdout(), library, args[0], language, asJSON); shown || err != nil {
					return err
				}
				return fmt.Errorf("there is no rule %s in any version; `einvoice rules list` names those of the newest", args[0])
			}
			for i, card := range cards {
				switch {
				case asJSON:
					card.Translate(language)
					if err := writeJSON(cmd.OutOrStdout(), card); err != nil {
						return err
					}
				default:
					if i > 0 {
						fmt.Fprintln(cmd.OutOrStdout())
					}
					cardPrinter{cmd.OutOrStdout(), language}.print(card)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the card as JSON")
	rulesetsFlag(cmd, &dir)
	messagesFlag(cmd, &tag)
	return cmd
}

func newRulesFunctions() *cobra.Command {
	return &cobra.Command{
		Use:   "functions",
		Short: "Print the functions that rules may call",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, f := range expr.Functions() {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n", f.Name)
				for _, s := range f.Signatures {
					fmt.Fprintf(cmd.OutOrStdout(), "  %s\n", s)
				}
				for _, line := range report.Wrap(f.Doc, 88) {
					fmt.Fprintf(cmd.OutOrStdout(), "    %s\n", line)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "    example: %s\n\n", f.Example)
			}
			return nil
		},
	}
}
