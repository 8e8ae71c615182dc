package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"einvoice/formats"
	"einvoice/formats/bundle"
	"einvoice/formats/xmlparse"

	"github.com/spf13/cobra"
)

func newExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract xml|json|attachments FILE",
		Short: "Take the XML, the invoice as JSON, or all attached documents out of a file",
		Long: `Extract takes what is inside an invoice out of it. FILE is a PDF with an attached
invoice (Factur-X, ZUGFeRD) or an XML, "-" is standard input. The invoice need not
be valid.`,
		RunE: func(*cobra.Command, []string) error { // without, a forgotten word would be success
			return errors.New("say what to extract: xml, json or attachments, and from which file")
		},
	}
	cmd.AddCommand(
		newExtraction("xml", "The invoice's XML, byte by byte as it is embedded", extractXML),
		newExtraction("json", "The normalized invoice as JSON", extractJSON),
		newExtraction("attachments", "A ZIP of every embedded document, with a manifest.json", extractAttachments),
	)
	return cmd
}

func newExtraction(what, short string, extract func([]byte, formats.Options) ([]byte, error)) *cobra.Command {
	out := "-"
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
			extracted, err := extract(data, formats.Options{Limits: limits})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return writeOutput(cmd.OutOrStdout(), out, extracted)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", out, "file to write to")
	cmd.Flags().IntVar(&limits.Bytes, "max-bytes", limits.Bytes, "largest file in bytes")
	return cmd
}

var exampleOutputs = map[string]string{"xml": "invoice.xml", "json": "invoice.json", "attachments": "documents.zip"}

func extractXML(data []byte, options formats.Options) ([]byte, error) {
	xml, _, err := formats.EmbeddedXML(data, options)
	return xml, err
}

func extractJSON(data []byte, options formats.Options) ([]byte, error) {
	doc, err := formats.Read(data, options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(doc.Invoice)
	return b.Bytes(), err
}

func extractAttachments(data []byte, options formats.Options) ([]byte, error) {
	documents, err := bundle.Of(data, options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = documents.WriteZIP(&b)
	return b.Bytes(), err
}
