package cli

import (
	"errors"
	"fmt"
	"mime"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/fontfiles"
	"einvoice/formats/xmlparse"
	"einvoice/service/embed"
	"einvoice/service/operation"
	"einvoice/service/write"

	"github.com/spf13/cobra"
)

type embedOptions struct {
	rulesets, file, report, date string
	relationship, pdfa           string
	attach, fonts                []string
}

func newEmbed() *cobra.Command {
	o := embedOptions{}
	cmd := &cobra.Command{
		Use:   "embed [flags] PDF XML",
		Short: "Attach an invoice to a PDF, for ZUGFeRD or Factur-X",
		Long: `Embed converts any PDF to PDF/A-3 and attaches an invoice in CII to it, by the rules of the
profile that the invoice declares. The invoice has to be valid. Embed reports what it changed in the PDF,
and refuses a PDF that cannot become PDF/A-3, with the reason and the page.`,
		Example: `  einvoice embed letter.pdf factur-x.xml -o invoice.pdf`,
		Args:    cobra.ExactArgs(2),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "-", "file to write the PDF to")
	f.StringVar(&o.report, "report", "text", "how to report findings on standard error: text or json")
	dateFlag(f, &o.date)
	f.StringVar(&o.relationship, "relationship", "", "relationship of the XML to the pages (AFRelationship): Alternative, Source or Data; that of the profile without it")
	f.StringVar(&o.pdfa, "pdfa", pdfa3, "what is made: 3 for PDF/A-3b, or 4f for PDF/A-4f on PDF 2.0, which fewer programs read")
	f.StringArrayVar(&o.attach, "attach", nil, "file to attach as a supplement; may be repeated")
	f.StringArrayVar(&o.fonts, "fonts", nil, "folder of fonts for those that the PDF names and does not have, before those of the system; may be repeated")
	rulesetsFlag(cmd, &o.rulesets)
	return cmd
}

// The values of --pdfa.
const pdfa3, pdfa4f = "3", "4f"

// attachments are the files of --attach.
func (o *embedOptions) attachments() (files []archive.File, err error) {
	for _, path := range o.attach {
		if path == "-" {
			return nil, errors.New("--attach takes files, and not standard input")
		}
		data, err := readInput(path, nil, int64(xmlparse.DefaultLimits().Bytes))
		if err != nil {
			return nil, err
		}
		kind, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(path)), ";")
		files = append(files, archive.File{Name: filepath.Base(path), MIME: kind, Relationship: "Supplement", Data: data})
	}
	return files, nil
}

func (o *embedOptions) run(cmd *cobra.Command, pdfFile, xmlFile string) error {
	if o.pdfa != pdfa3 && o.pdfa != pdfa4f {
		return fmt.Errorf("--pdfa %s is not made; use %s or %s", o.pdfa, pdfa3, pdfa4f)
	}
	date, err := dateOf(o.date)
	if err != nil {
		return err
	}
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	if pdfFile == "-" && xmlFile == "-" {
		return errors.New("only one of the two files can be standard input")
	}
	limit := int64(xmlparse.DefaultLimits().Bytes)
	pages, err := readInput(pdfFile, cmd.InOrStdin(), limit)
	if err != nil {
		return err
	}
	xml, err := readInput(xmlFile, cmd.InOrStdin(), limit)
	if err != nil {
		return err
	}
	if err := foldersOfFonts(o.fonts); err != nil {
		return err
	}
	embedding := embed.Options{
		Date: date, Relationship: o.relationship, Level4F: o.pdfa == pdfa4f,
		Fonts: archive.NewFonts(append(slices.Clone(o.fonts), fontfiles.System()...)...),
	}
	if embedding.Files, err = o.attachments(); err != nil {
		return err
	}
	made, err := embed.Document(cmd.Context(), operation.New(library, operation.Config{}).Service, pages, xml, embedding)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		if err := reportFindings(cmd, o.report, refused.Report); err != nil {
			return err
		}
		return errInvalid
	}
	if err != nil {
		return fmt.Errorf("nothing was attached: %w", err)
	}
	if err := reportFindings(cmd, o.report, made.Report); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), o.file, made.Data)
}
