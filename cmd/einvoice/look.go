package main

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/pdf/page"
	"einvoice/service"

	"github.com/spf13/cobra"
)

func newLook() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "look",
		Short: "Looks of pages: logo, colours, fonts, letter paper, texts, order",
		Long: `A look is a YAML file that says how the pages of invoices look. Begin with a built-in
one ("einvoice look show din5008"), or base your own on it (based: din5008) and write
what differs. --look of render, create and convert takes the file.`,
	}
	cmd.AddCommand(newLookCheck(), newLookShow(), newLookSchema())
	return cmd
}

func newLookCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Say whether looks can be used: whether pages that have them are PDF/A-3a and PDF/UA-1",
		Long: `Check reads looks with all files that they name, and makes the pages of a sample in
each. A font that may not be embedded, letter paper that cannot become PDF/A-3, a
picture that cannot be kept and the like are refused, with the reason.`,
		Example: `  einvoice look check acme.yaml`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range args {
				options := pageOptions{look: file}
				if slices.Contains(page.BuiltInLooks(), file) {
					options.look = "./" + file // a file may be called like a look
				}
				config, err := options.config()
				if err != nil {
					return err
				}
				request, err := service.ReadRequest(service.Example)
				if err != nil {
					return err
				}
				s, err := service.Open(config)
				if err != nil {
					return err
				}
				if request.Options == nil {
					request.Options = &service.Options{}
				}
				request.Options.Look.Raw, request.Options.Look.Present = options.look, true
				made, err := s.Create(cmd.Context(), "zugferd", request)
				if err != nil {
					return fmt.Errorf("%s: the pages of a sample are not what they should be: %w", file, err)
				}
				if err := reportFindings(cmd.ErrOrStderr(), "text", made.Report); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s can be used\n", file)
			}
			return nil
		},
	}
}

func newLookShow() *cobra.Command {
	return &cobra.Command{
		Use:       "show [NAME]",
		Short:     "Print a built-in look, or the names of all",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: page.BuiltInLooks(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(page.BuiltInLooks(), "\n"))
				return nil
			}
			data := page.LookFile(args[0])
			if data == nil {
				_, err := page.BuiltInLook(args[0])
				return err
			}
			_, err := cmd.OutOrStdout().Write(data)
			return err
		},
	}
}

func newLookSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of looks, for editors",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(page.LookSchema)
			return err
		},
	}
}
