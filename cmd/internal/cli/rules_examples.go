package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/model"
	"einvoice/server"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

func newRulesTest() *cobra.Command {
	var run, output string
	cmd := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Run the examples beside the rules: those of a folder, or all built-in ones",
		Example: `  einvoice rules test
  einvoice rules test my-rules/
  einvoice rules test --run '^CO-' my-rules/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownOutput(output); err != nil {
				return err
			}
			ids, err := regexp.Compile(run)
			if err != nil {
				return fmt.Errorf("--run %q is not a regular expression: %w", run, err)
			}
			library, err := openLibrary(args...)
			if err != nil {
				return err
			}
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			return testExamples(cmd.OutOrStdout(), library, ids, dir, output, spoken(cmd))
		},
	}
	cmd.Flags().StringVar(&run, "run", "", "only rules whose ids match this `REGEX`")
	outputOfMistakes(cmd, &output)
	return cmd
}

func testExamples(w io.Writer, library *engine.Library, ids *regexp.Regexp, dir, output string, language *words.Language) error {
	sets, err := library.OwnRulesets()
	if err != nil {
		return err
	}
	run, rules := 0, 0
	var failed []report.Mistake
	for _, s := range sets {
		chosen := slices.DeleteFunc(slices.Clone(library.OwnRules(s)), func(r *engine.Rule) bool { return !ids.MatchString(r.ID) })
		rules += len(chosen)
		for _, r := range ruletest.Examples(library, chosen, readDocument) {
			run++
			if !r.OK() {
				failed = append(failed, report.Mistake{File: r.File, Line: r.Line, Level: report.MistakeError, Rule: r.Rule, Message: r.Error})
			}
		}
	}
	if rules == 0 && ids.String() != "" {
		return fmt.Errorf("no rule of the folder has an id that matches %q", ids)
	}
	summary := map[string]int{"passed": run - len(failed), "failed": len(failed), "rules": rules}
	if err := report.WriteMistakes(w, output, dir, failed, summary, server.Version, language); err != nil {
		return err
	}
	if output == "text" {
		fmt.Fprintln(w, language.Say(fmt.Sprintf("%d passed, %d failed", run-len(failed), len(failed))))
	}
	if len(failed) > 0 {
		return errInvalid
	}
	return nil
}

func readDocument(data []byte) (*model.Document, error) { return formats.Read(data, hybrid.Options()) }
