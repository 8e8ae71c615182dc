package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/tongue"
	"einvoice/service/catalogue"
	"einvoice/service/convert"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type convertOptions struct {
	rulesets, file, to     string
	buyerReference, losses string
	strict                 bool
	set                    []string
	makeOptions
}

func newConvert() *cobra.Command {
	o := convertOptions{}
	cmd := &cobra.Command{
		Use:   "convert [flags] --to FORMAT FILE",
		Short: "Convert an invoice into another syntax or profile, with a report of what differs",
		Long: `Convert reads an invoice and writes it again in another form. It reports on standard error, with
line, path, value and reason, each value that the result lacks and each that its syntax demands in
addition, and each fatal rule that the result violates and the document does not.

--to ubl and --to cii keep the profile that the document declares (BT-24). --to
xrechnung, or --profile, makes it an invoice of that profile: the identifier is set,
and the result is written only if it follows the profile's fatal rules. --to zugferd and
--to facturx make a PDF/A-3 of it, with the XML attached.`,
		Example: `  einvoice convert --to ubl factur-x.xml -o invoice.xml
  einvoice convert --to cii --strict --losses json invoice.xml
  einvoice convert --to xrechnung --buyer-reference 04011000-12345-03 invoice.xml
  einvoice convert --to zugferd --language de invoice.xml -o invoice.pdf`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "what to make: "+strings.Join(catalogue.ToCreate(), ", "))
	f.StringVarP(&o.file, "output", "o", "-", "file to write the document to")
	f.BoolVar(&o.strict, "strict", false, "write nothing if anything would be lost")
	lossesFlag(f, &o.losses)
	f.StringArrayVar(&o.set, "set", nil, "a term that the document lacks, such as seller.contact.name=Lindner; with --to ubl and --to cii only beside --profile; may be given again")
	f.StringVar(&o.buyerReference, "buyer-reference", "", "buyer reference (BT-10), for German public buyers the Leitweg-ID; the document's own without it")
	o.flags(f)
	_ = cmd.MarkFlagRequired("to")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(catalogue.ToCreate(), cobra.ShellCompDirectiveNoFileComp))
	rulesetsFlag(cmd, &o.rulesets)
	return cmd
}

func (o *convertOptions) run(cmd *cobra.Command, file string) error {
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	data, err := readInput(file, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
	if err != nil {
		return err
	}
	config, err := o.config()
	if err != nil {
		return err
	}
	s := operation.New(library, config)
	doc, err := s.Read(cmd.Context(), data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		return inFile(file, err)
	}
	tellLegacy(cmd, file, formats.LegacyName(doc))
	bySyntax := slices.ContainsFunc(formats.All, func(f *binding.Format) bool { return string(f.Syntax) == o.to })
	if bySyntax && o.profile == "" {
		if len(o.set) > 0 {
			return errors.New("--set supplies what a profile demands; name it with --profile, such as en16931")
		}
		if err := o.check(s.Service); err != nil {
			return err
		}
		before := *doc.Invoice
		if o.buyerReference != "" {
			doc.Invoice.BuyerReference = model.NewText(o.buyerReference)
		}
		c, err := convertTo(cmd, s, doc, model.Syntax(o.to))
		if err != nil {
			return err
		}
		return o.write(cmd, c.Data, slices.Concat(c.Losses, transform.Changed(doc, &before)))
	}
	asked := transform.Options{BuyerReference: o.buyerReference, Supply: transform.Supply{}}
	for _, term := range o.set {
		name, value, ok := strings.Cut(term, "=")
		if !ok {
			return fmt.Errorf("--set %s has no value; write it as in --set seller.contact.name=Lindner", quote.Value(term))
		}
		if _, twice := asked.Supply[name]; twice {
			return fmt.Errorf("--set names the term %s twice; give it one value", quote.Value(name))
		}
		asked.Supply[name] = value
	}
	if err := o.over(&asked.Options); err != nil {
		return err
	}
	t, err := transform.Document(cmd.Context(), s.Pages, o.to, doc, asked)
	if err != nil {
		return err
	}
	if err := reportFindings(cmd, "text", t.Report); err != nil {
		return err
	}
	if !t.Report.Valid {
		if err := reportLosses(cmd, o.losses, t.Losses); err != nil {
			return err
		}
		return tellMissing(cmd, transform.Missing(t.Report, doc.Invoice))
	}
	return o.write(cmd, t.Data, t.Losses)
}

// check refuses flags that say what cannot be, which --to with a syntax alone does not use.
func (o *convertOptions) check(s *validate.Service) error {
	options := &write.Options{}
	if err := o.over(options); err != nil {
		return err
	}
	var wrong []*problem.Error
	if _, err := tongue.Match(o.language); err != nil {
		wrong = append(wrong, problem.Option("options.language", err))
	}
	_, err := write.Find(s, o.to, options, wrong...)
	return err
}

// tellMissing names the flags that supply what a document lacks.
func tellMissing(cmd *cobra.Command, missing []transform.MissingTerm) error {
	if len(missing) > 0 {
		tell(cmd, "what is missing can be supplied:")
	}
	for _, m := range missing {
		fmt.Fprintln(cmd.ErrOrStderr(), strings.TrimRight(fmt.Sprintf("  --set %s=...  %s", m.Option, m.BTCode), " "))
	}
	return errInvalid
}

// write reports what differs and writes the document.
func (o *convertOptions) write(cmd *cobra.Command, data []byte, losses []formats.Loss) error {
	if err := reportLosses(cmd, o.losses, losses); err != nil {
		return err
	}
	if err := refuseLosses(o.strict, losses); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), o.file, data)
}

// convertTo converts a document, with what differs in the language of the command.
func convertTo(cmd *cobra.Command, s *operation.Kit, doc *model.Document, syntax model.Syntax) (*convert.Conversion, error) {
	c, err := convert.Document(cmd.Context(), s.Service, doc, syntax)
	if err != nil {
		return nil, err
	}
	return c, c.Translate(spoken(cmd))
}

// refuseLosses is an error if something is lost that may not be.
func refuseLosses(strict bool, losses []formats.Loss) error {
	if n := formats.Lost(losses); strict && n > 0 {
		return fmt.Errorf("%s would be lost, so nothing was written; leave --strict out to write it anyway", numeral.Count(n, "value"))
	}
	return nil
}

// lossesAsText is how losses are reported unless a flag says otherwise.
const lossesAsText = "text"

func lossesFlag(f *pflag.FlagSet, losses *string) {
	f.StringVar(losses, "losses", lossesAsText, "how to report what differs on standard error: text or json")
}

func reportLosses(cmd *cobra.Command, kind string, losses []formats.Loss) error {
	w, language := cmd.ErrOrStderr(), spoken(cmd)
	switch kind {
	case "json":
		if losses == nil {
			losses = []formats.Loss{}
		}
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(losses)
	case lossesAsText:
		for _, l := range losses {
			place := l.Path
			if place == "" {
				place = l.Field
			}
			if l.Line > 0 {
				place = language.Say(fmt.Sprintf("line %d", l.Line)) + ": " + place
			}
			if _, err := fmt.Fprintf(w, "%s  %s = %s: %s\n", language.Say(string(l.Kind)), quote.Visible(place), l.Shown(language.Say), quote.Visible(language.Say(l.Reason))); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("unknown report of losses %q: use text or json", kind)
}
