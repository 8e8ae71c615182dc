package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/model/tongue"
	"einvoice/service/embed"
	"einvoice/service/extract"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/validate"
	"einvoice/service/write"

	"github.com/spf13/cobra"
)

// write writes a file that must not exist, as Mustang does.
func (o *mustangOptions) write(cmd *cobra.Command, data []byte) error {
	if _, err := os.Lstat(o.out); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already; name another file with --out", o.out)
	}
	if err := writeFile(o.out, data); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Written to %s\n", quote.Name(o.out))
	return nil
}

// read reads the source.
func (o *mustangOptions) read(cmd *cobra.Command, path string) ([]byte, error) {
	return readInput(path, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
}

// combine is the action combine: a PDF and the invoice become one hybrid PDF.
func (o *mustangOptions) combine(cmd *cobra.Command) error {
	if err := needs(o.action, map[string]string{"source": o.source, "source-xml": o.sourceXML, "out": o.out}); err != nil {
		return err
	}
	if err := o.checkStandard(); err != nil {
		return &statusError{exitUnreadable, err}
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		return err
	}
	pages, err := o.read(cmd, o.source)
	if err != nil {
		return err
	}
	xml, err := o.read(cmd, o.sourceXML)
	if err != nil {
		return err
	}
	if err := o.checkProfile(cmd, s, xml); err != nil {
		return err
	}
	made, err := embed.Document(cmd.Context(), s.Service, pages, xml, embed.Options{})
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		if err := reportFindings(cmd, "text", refused.Report); err != nil {
			return err
		}
		return errors.New("the invoice is invalid, so nothing was attached")
	}
	if err != nil {
		return fmt.Errorf("nothing was attached: %w", err)
	}
	if err := reportFindings(cmd, "text", made.Report); err != nil {
		return err
	}
	return o.write(cmd, made.Data)
}

// checkStandard refuses what is neither Factur-X nor ZUGFeRD 2.
func (o *mustangOptions) checkStandard() error {
	versions := map[string]string{"fx": "1", "zf": "2"}
	version, known := versions[strings.ToLower(o.format)]
	switch {
	case !known:
		return fmt.Errorf("--format %s is not made here: give fx for Factur-X or zf for ZUGFeRD", o.format)
	case o.version != "" && o.version != version:
		return fmt.Errorf("--format %s is made in version %s only, not %s", o.format, version, o.version)
	}
	return nil
}

// checkProfile refuses XML of another profile than was asked for: the PDF says the profile
// that the XML declares.
func (o *mustangOptions) checkProfile(cmd *cobra.Command, s *operation.Kit, xml []byte) error {
	if o.profile == "" {
		return nil
	}
	level, known := readMustangWords().Profiles[strings.ToUpper(o.profile)]
	if !known {
		return &statusError{exitUnreadable, fmt.Errorf("--profile %s is unknown or not made here; the profile is that of the XML, and may be left out", o.profile)}
	}
	doc, err := s.Read(cmd.Context(), xml, validate.Accept{})
	if err != nil {
		return inFile(o.sourceXML, err)
	}
	profile, found, err := s.Library().Detect(doc.Invoice)
	if err != nil {
		return err
	}
	if !found || profile.Hybrid == nil || profile.Hybrid.ConformanceLevel != level {
		return fmt.Errorf("the XML declares %s, and --profile %s is %s; correct one of them", profile.Name, o.profile, level)
	}
	return nil
}

// extract is the action extract: the XML out of a PDF.
func (o *mustangOptions) extract(cmd *cobra.Command) error {
	if err := needs(o.action, map[string]string{"source": o.source, "out": o.out}); err != nil {
		return err
	}
	s, data, err := o.openSource(cmd)
	if err != nil {
		return err
	}
	found, err := extract.XML(cmd.Context(), s.Service, data)
	if err != nil {
		return inFile(o.source, err)
	}
	return o.write(cmd, found.Data)
}

// openSource reads the source and opens the service.
func (o *mustangOptions) openSource(cmd *cobra.Command) (*operation.Kit, []byte, error) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		return nil, nil, err
	}
	data, err := o.read(cmd, o.source)
	return s, data, err
}

// readInvoice reads the invoice of the source, of ZUGFeRD 1.0 too.
func (o *mustangOptions) readInvoice(cmd *cobra.Command) (*operation.Kit, *model.Document, error) {
	s, data, err := o.openSource(cmd)
	if err != nil {
		return nil, nil, err
	}
	doc, err := s.Read(cmd.Context(), data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, nil, inFile(o.source, err)
	}
	tellLegacy(cmd, o.source, formats.LegacyName(doc))
	return s, doc, nil
}

// ubl is the action ubl: the invoice in UBL.
func (o *mustangOptions) ubl(cmd *cobra.Command) error {
	if err := needs(o.action, map[string]string{"source": o.source, "out": o.out}); err != nil {
		return err
	}
	s, doc, err := o.readInvoice(cmd)
	if err != nil {
		return err
	}
	c, err := convertTo(cmd, s, doc, model.UBL)
	if err != nil {
		return err
	}
	if err := reportLosses(cmd, lossesAsText, c.Losses); err != nil {
		return err
	}
	return o.write(cmd, c.Data)
}

// pages are the actions pdf and visualize: the invoice as pages of a PDF, or as HTML.
func (o *mustangOptions) pages(cmd *cobra.Command, to string) error {
	if err := needs(o.action, map[string]string{"source": o.source, "out": o.out}); err != nil {
		return err
	}
	if _, err := tongue.Match(o.language); err != nil {
		return &statusError{exitUnreadable, err}
	}
	s, doc, err := o.readInvoice(cmd)
	if err != nil {
		return err
	}
	pages, err := s.Pages.Document(cmd.Context(), doc, render.Options{Language: o.language, To: to})
	if err != nil {
		return err
	}
	if err := reportLosses(cmd, lossesAsText, pages.Losses); err != nil {
		return err
	}
	if n := len(pages.Missing); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "the fonts lack %s: %q; the pages show a mark for each\n", numeral.Count(n, "character"), string(pages.Missing))
	}
	return o.write(cmd, pages.Data)
}
