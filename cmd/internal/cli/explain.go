package cli

import (
	"fmt"

	"einvoice/engine/words"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// explainRule prints how one rule was decided on one document.
func (o *validateOptions) explainRule(cmd *cobra.Command, s *operation.Kit, rules validate.Rules, language *words.Language, paths []string) error {
	if len(paths) != 1 {
		return fmt.Errorf("--explain takes one document, not %d", len(paths))
	}
	if o.output != "text" && o.output != "json" {
		return fmt.Errorf("--explain has the outputs text and json, not %s", o.output)
	}
	data, err := readInput(paths[0], cmd.InOrStdin(), int64(o.limits.Bytes))
	if err != nil {
		return err
	}
	received, err := s.Receive(cmd.Context(), data, validate.Accept{PDF: true})
	if err != nil {
		return inFile(paths[0], err)
	}
	explained, err := s.Explain(cmd.Context(), received, rules, o.explain, 0)
	if err != nil {
		return inFile(paths[0], err)
	}
	if o.output == "json" {
		err = writeJSON(cmd.OutOrStdout(), report.ExplainJSON(explained, language))
	} else {
		report.ExplainText(cmd.OutOrStdout(), explained, language)
	}
	if err != nil {
		return err
	}
	if !explained.Holds() {
		return errInvalid
	}
	return nil
}
