package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/service/extract"
	"einvoice/service/operation"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

func newExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract xml|json|attachments FILE",
		Short: "Take the XML, the invoice as JSON, or all attached documents out of a file",
		Long: `Extract takes the XML, the invoice as JSON, or the attachments out of a document. FILE is a PDF
with an attached invoice (Factur-X, ZUGFeRD) or an XML, "-" is standard input. The invoice need not be
valid.`,
		RunE: func(*cobra.Command, []string) error { // without, a forgotten word would be success
			return errors.New("say what to extract: xml, json or attachments, and from which file")
		},
	}
	cmd.AddCommand(
		newExtraction("xml", "The invoice's XML, byte by byte as it is embedded", extract.XML, false),
		newExtraction("json", "The normalized invoice as JSON", extract.JSON, true),
		newExtraction("attachments", "A ZIP of every embedded document, with a manifest.json", extract.Attachments, false),
	)
	return cmd
}

// An extraction takes something out of a file.
type extraction func(context.Context, *validate.Service, []byte) (*extract.Extraction, error)

// newExtraction is a command for an extraction. If it reads the invoice, what the result
// lacks of it is reported.
func newExtraction(what, short string, take extraction, reads bool) *cobra.Command {
	out, losses := "-", lossesAsText
	limits := xmlparse.DefaultLimits()
	cmd := &cobra.Command{
		Use:     what + " [flags] FILE",
		Short:   short,
		Example: fmt.Sprintf("  einvoice extract %s invoice.pdf -o %s", what, exampleOutputs[what]),
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readInput(args[0], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			s, err := operation.Open(operation.Config{Read: formats.Options{Limits: limits}})
			if err != nil {
				return err
			}
			found, err := take(cmd.Context(), s.Service, data)
			if err != nil {
				return inFile(args[0], err)
			}
			tellLegacy(cmd, args[0], found.Legacy)
			if reads {
				if err := reportLosses(cmd, losses, found.Losses); err != nil {
					return err
				}
			}
			if found.MediaType == mediaTypeJSON {
				if found.Data, err = indented(found.Data); err != nil {
					return err
				}
			}
			return writeOutput(cmd.OutOrStdout(), out, found.Data)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", out, "file to write to")
	if reads {
		lossesFlag(cmd.Flags(), &losses)
	}
	countVar(cmd.Flags(), &limits.Bytes, "max-bytes", "largest file in bytes")
	return cmd
}

var exampleOutputs = map[string]string{"xml": "invoice.xml", "json": "invoice.json", "attachments": "documents.zip"}

const mediaTypeJSON = "application/json"

// tellLegacy names the format that a file was read from, where that is older than EN
// 16931.
func tellLegacy(cmd *cobra.Command, file, name string) {
	if name != "" {
		tell(cmd, "einvoice: %s: this is %s, a legacy format older than EN 16931, read as far as EN 16931 has its terms", file, name)
	}
}

// indented makes JSON easier to read for people.
func indented(data []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Indent(&b, data, "", "  ")
	return b.Bytes(), err
}
