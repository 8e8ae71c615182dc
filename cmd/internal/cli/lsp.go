package cli

import (
	"einvoice/service/authoring/lsp"

	"github.com/spf13/cobra"
)

func newLSP() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors: mistakes while typing, completion, hover, definitions, corrections, examples",
		Long: `Lsp speaks the Language Server Protocol over standard input and output. An editor starts
it for YAML files; the folder of rulesets is found by the place of the file, which is
FAMILY/VERSION/NAME.yaml in it, or in codelists/, profiles/, overlays/, tables/, findings/ or languages/.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return lsp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), builtIn)
		},
	}
}
