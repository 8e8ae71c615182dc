package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/verapdf"
	"einvoice/model/numeral"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/write"

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
	cmd.AddCommand(newLookNew(), newLookCheck(), newLookShow(), newLookSchema())
	return cmd
}

func newLookCheck() *cobra.Command {
	judge := ""
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check whether looks can be used: whether their pages are PDF/A-3a and PDF/UA-1",
		Long: `Check reads looks with all files that they name, and makes the pages of a sample in
each. A font that may not be embedded, letter paper that cannot become PDF/A-3, a
picture that cannot be kept and the like are refused, with the reason; so is a look
whose sample, read back, is not PDF/A-3a and PDF/UA-1 as far as this program can tell:
claims, fonts, colours, transparency, tags, letter paper. Three documents are composed,
of one line, of forty and with every term: texts that overlap each other or the logo,
letter paper that is dark where texts may stand, a contrast below 4.5, a term that
invoices have to show and the body lacks, and a key that nothing shows are faults. With --verapdf the program
veraPDF judges the sample too.`,
		Example: `  einvoice look check acme.yaml
  einvoice look check --verapdf acme.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var program *verapdf.Program
			if judge != "" {
				var err error
				if program, err = verapdf.Find(judge); err != nil {
					return err
				}
			}
			var faults []error
			for _, file := range args {
				faults = append(faults, checkLook(cmd, program, file))
			}
			return errors.Join(faults...)
		},
	}
	cmd.Flags().StringVar(&judge, "verapdf", "", "have veraPDF judge the sample: --verapdf=`program`, or --verapdf alone to look for it on the PATH and in bin/verapdf")
	cmd.Flags().Lookup("verapdf").NoOptDefVal = "verapdf"
	return cmd
}

// checkLook prints that the look of a file can be used; the error says why it cannot.
func checkLook(cmd *cobra.Command, program *verapdf.Program, file string) error {
	options := pageOptions{look: file}
	if slices.Contains(look.Names(), file) {
		options.look = "./" + file // a file may be called like a look
		if _, err := os.Stat(options.look); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a built-in look, which can be used as it is: name the file of a look of your own, such as a copy (einvoice look show %s > acme.yaml)", file, file)
		}
	}
	config, err := options.config()
	if err != nil {
		return err
	}
	request, err := create.ReadRequest(cmd.Context(), create.Example)
	if err != nil {
		return err
	}
	s, err := operation.Open(config)
	if err != nil {
		return err
	}
	if request.Options == nil {
		request.Options = &write.Options{}
	}
	request.Options.Look.Raw, request.Options.Look.Present = options.look, true
	made, err := create.Document(cmd.Context(), s.Pages, "zugferd", request)
	if err != nil {
		return fmt.Errorf("%s: the pages of a sample are not what they should be: %w", file, err)
	}
	if err := reportFindings(cmd, "text", made.Report); err != nil {
		return err
	}
	if err := goodLook(cmd, options.look); err != nil {
		return err
	}
	judged := spoken(cmd).Say("veraPDF was not asked")
	if program != nil {
		if judged, err = judgeLook(cmd.Context(), program, options.look, made.Data); err != nil {
			return inFile(file, err)
		}
	}
	fmt.Fprintln(cmd.OutOrStdout(), spoken(cmd).Say(fmt.Sprintf("%s can be used; %s", file, judged)))
	return nil
}

// judgeLook has veraPDF judge an invoice of one page, and a sample of several.
func judgeLook(ctx context.Context, program *verapdf.Program, file string, short []byte) (string, error) {
	look, err := render.ReadLook(file)
	if err != nil {
		return "", err
	}
	long, err := page.PDF(ctx, page.Sample(), page.Options{Look: look})
	if err != nil {
		return "", err
	}
	var profiles []string
	for _, data := range [][]byte{short, long.Data} {
		verdicts, err := program.Check(ctx, data)
		if err != nil {
			return "", err
		}
		profiles = nil
		for _, v := range verdicts {
			profiles = append(profiles, v.Profile)
			if len(v.Failures) > 0 || !v.Compliant {
				return "", lookFailures(v)
			}
		}
	}
	return "veraPDF agrees: " + strings.Join(profiles, ", "), nil
}

func lookFailures(v verapdf.Verdict) error {
	texts := make([]string, len(v.Failures))
	for i, f := range v.Failures {
		texts[i] = fmt.Sprintf("%s, clause %s, %s (%s)", f.Standard, f.Clause, f.Message, numeral.Count(f.Places, "place"))
	}
	return fmt.Errorf("veraPDF says that the pages of a sample are not %s: %s", v.Profile, strings.Join(texts, "; "))
}

func newLookShow() *cobra.Command {
	return &cobra.Command{
		Use:       "show [NAME]",
		Short:     "Print a built-in look, or the names of all",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: look.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(look.Names(), "\n"))
				return nil
			}
			data := look.File(args[0])
			if data == nil {
				_, err := look.BuiltIn(args[0])
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
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(look.Schema)
			return err
		},
	}
}
