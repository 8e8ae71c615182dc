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

// An extraction takes something out of a file; the note says what to know of it.
type extraction func(data []byte, options formats.Options) (extracted []byte, note string, err error)

func newExtraction(what, short string, extract extraction) *cobra.Command {
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
			extracted, note, err := extract(data, formats.Options{Limits: limits})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if note != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: %s: %s\n", args[0], note)
			}
			return writeOutput(cmd.OutOrStdout(), out, extracted)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", out, "file to write to")
	cmd.Flags().IntVar(&limits.Bytes, "max-bytes", limits.Bytes, "largest file in bytes")
	return cmd
}

var exampleOutputs = map[string]string{"xml": "invoice.xml", "json": "invoice.json", "attachments": "documents.zip"}

func extractXML(data []byte, options formats.Options) ([]byte, string, error) {
	xml, _, err := formats.EmbeddedXML(data, options)
	return xml, "", err
}

func extractJSON(data []byte, options formats.Options) (extracted []byte, note string, err error) {
	options.Legacy = true
	doc, err := formats.Read(data, options)
	if err != nil {
		return nil, "", err
	}
	if name := formats.LegacyName(doc); name != "" {
		note = fmt.Sprintf("this is %s, a legacy format older than EN 16931, read as far as EN 16931 has its terms", name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(doc.Invoice)
	return b.Bytes(), note, err
}

func extractAttachments(data []byte, options formats.Options) ([]byte, string, error) {
	documents, err := bundle.Of(data, options)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	err = documents.WriteZIP(&b)
	return b.Bytes(), "", err
}
