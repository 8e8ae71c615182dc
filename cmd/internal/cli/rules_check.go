package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model/numeral"
	"einvoice/server"
	"einvoice/service/inputfile"
	"einvoice/service/report"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

func newRulesCheck() *cobra.Command {
	var strict bool
	var output string
	var over []string
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Check that a folder of rulesets loads, and print its mistakes with their places",
		Long: `Check reads everything in a folder that validation would read: rules, tables, code lists,
profiles, overlays, example invoices. It prints mistakes, which lead to status 1, and warnings and notes,
which do not. It compares overlays with each other. Two that contradict each other on a document are a
mistake, and the message has both places and such a document. If one decides over the other, it is a
note. Documents that a group of overlays leaves out, although it looks complete, are a warning.`,
		Example: `  einvoice rules check my-rules/
  einvoice rules check --strict -o sarif my-rules/
  einvoice rules check --over parent/ subsidiary/`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownOutput(output); err != nil {
				return err
			}
			edited, err := openFolders(foldersOf(args[0]))
			if err != nil {
				return err
			}
			below := builtIn
			if len(over) > 0 {
				for _, dir := range over {
					if err := inputfile.Folder(dir); err != nil {
						return err
					}
				}
				if err := sameInBoth(foldersOf(append(over[:len(over):len(over)], args[0])...)); err != nil {
					return err
				}
				library, err := openLibrary(over...)
				if err != nil {
					return err
				}
				below = library.FS()
			}
			library, err := engine.Open(engine.Layered(edited, below))
			if err != nil {
				return err
			}
			defer library.Until(cmd.Context())()
			return checkRules(cmd.OutOrStdout(), library, args[0], output, strict, spoken(cmd))
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "also demand an example that fires and one that passes for every rule and each of its variants, and run the examples")
	cmd.Flags().StringSliceVar(&over, "over", nil, "check the folder laid over these `folders`, such as a subsidiary's over its parent's; comma-separated")
	_ = cmd.MarkFlagDirname("over")
	outputOfMistakes(cmd, &output)
	return cmd
}

// outputOfMistakes adds --output to a command that prints mistakes in rules.
func outputOfMistakes(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVarP(output, "output", "o", "text", "how to report: "+strings.Join(report.MistakeFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(report.MistakeFormats, cobra.ShellCompDirectiveNoFileComp))
}

func knownOutput(output string) error {
	if !slices.Contains(report.MistakeFormats, output) {
		return fmt.Errorf("unknown output %q: use one of %s", output, strings.Join(report.MistakeFormats, ", "))
	}
	return nil
}

func checkRules(w io.Writer, library *engine.Library, dir, output string, strict bool, language *words.Language) error {
	err := validate.CheckLibrary(library, strict)
	var found engine.LoadErrors
	if err != nil && !errors.As(err, &found) {
		return err
	}
	var warnings, notices engine.LoadErrors
	var contents lint.Contents
	if err == nil {
		bases, err := ruletest.CheckBases(library, readDocument)
		if err != nil {
			return err
		}
		found = append(lint.CheckTerms(library, engine.Today()), bases...)
		if warnings, err = validate.Warnings(library); err != nil {
			return err
		}
		notices = lint.Notices(library)
		if contents, err = lint.ContentsOf(library); err != nil {
			return err
		}
		if strict {
			failed, err := failedExamples(library)
			if err != nil {
				return err
			}
			found = append(found, slices.DeleteFunc(failed, func(e engine.LoadError) bool { // which has no document to begin with
				return slices.ContainsFunc(bases, func(told engine.LoadError) bool { return told.File == e.File && told.Line == e.Line })
			})...)
		}
	}
	mistakes := slices.Concat(mistakesOf(found, report.MistakeError), mistakesOf(warnings, report.MistakeWarning), mistakesOf(notices, report.MistakeNote))
	summary := map[string]any{"errors": len(found), "warnings": len(warnings), "notes": len(notices), "contents": contents}
	if err := report.WriteMistakes(w, output, dir, mistakes, summary, server.Version, language); err != nil {
		return err
	}
	if output == "text" {
		fmt.Fprintln(w, checkOutcomeOf(len(found), len(warnings), contents, language))
	}
	if len(found) > 0 {
		return errInvalid
	}
	return nil
}

// failedExamples are the examples that do not come out as they say. One that contradicts
// another, names a field that there is not, or is of a rule whose condition is always or never
// true, does not.
func failedExamples(library *engine.Library) (failed engine.LoadErrors, err error) {
	sets, err := library.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		for _, r := range ruletest.Examples(library, library.OwnRules(s), readDocument) {
			if !r.OK() {
				failed = append(failed, engine.LoadError{File: r.File, Line: r.Line, Column: 1, Message: fmt.Sprintf("an example of %s fails: %s", r.Rule, r.Error)})
			}
		}
	}
	return failed, library.Ended()
}

func mistakesOf(errors engine.LoadErrors, level string) (mistakes []report.Mistake) {
	for _, e := range errors {
		mistakes = append(mistakes, report.Mistake{File: e.File, Line: e.Line, Column: e.Column, Level: level, Message: e.Message})
	}
	return mistakes
}

func checkOutcomeOf(mistakes, warnings int, c lint.Contents, language *words.Language) string {
	if mistakes > 0 {
		return language.Say(numeral.Count(mistakes, "mistake"))
	}
	in := inWords(c, language)
	if warnings > 0 {
		return language.Say(fmt.Sprintf("no mistakes and %s in %s", language.Say(numeral.Count(warnings, "warning")), in))
	}
	return language.Say("no mistakes in " + in)
}

// inWords says what a folder of rulesets holds.
func inWords(c lint.Contents, language *words.Language) string {
	all := []string{language.Say(numeral.Count(c.Files, "file"))}
	for _, part := range []struct {
		n    int
		what string
	}{{c.Rulesets, "ruleset"}, {c.Rules, "rule"}, {c.Rows, "table row"}, {c.Examples, "example"}, {c.CodeLists, "code list"}, {c.Tables, "look-up table"}, {c.Profiles, "profile"}, {c.Overlays, "overlay"}, {c.Changes, "change"}, {c.Invoices, "example invoice"}, {c.Words, "translation file"}} {
		if part.n > 0 {
			all = append(all, language.Say(numeral.Count(part.n, part.what)))
		}
	}
	return strings.Join(all, ", ")
}
