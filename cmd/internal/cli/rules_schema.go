package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"einvoice/model/numeral"
	"einvoice/service/authoring"

	"github.com/spf13/cobra"
)

func newRulesSchema() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of a kind of file, or write those of all kinds for editors",
		Long: `Schema prints the JSON Schema of a kind of file that people edit. With --write, the
schemas of all kinds go into the folder .schemas of DIR, where the first line of the
shipped files has editors look for them:

  # yaml-language-server: $schema=../../.schemas/rules.json

Without KIND it names the kinds.`,
		Example: `  einvoice rules schema rules
  einvoice rules schema --write my-rules/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case dir != "" && len(args) == 0:
				return writeSchemas(cmd, dir)
			case dir != "" || len(args) == 0:
				return fmt.Errorf("name a kind (%s), or a folder with --write", strings.Join(authoring.Kinds(), ", "))
			}
			schema := authoring.Schema(args[0])
			if schema == nil {
				return fmt.Errorf("there is no kind of file %q; there are %s", args[0], strings.Join(authoring.Kinds(), ", "))
			}
			return writeJSON(cmd.OutOrStdout(), schema)
		},
	}
	cmd.Flags().StringVar(&dir, "write", "", "write the schemas of all kinds into .schemas of this folder of rulesets")
	_ = cmd.MarkFlagDirname("write")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return authoring.Kinds(), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// writeSchemas writes the schemas of all kinds; those that are there are replaced, as they
// are made by this program alone.
func writeSchemas(cmd *cobra.Command, dir string) error {
	folder := filepath.Join(dir, authoring.SchemaFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, kind := range authoring.Kinds() {
		var b strings.Builder
		if err := writeJSON(&b, authoring.Schema(kind)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, kind+".json"), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", filepath.ToSlash(folder), numeral.Count(len(authoring.Kinds()), "schema"))
	return nil
}
