// Package xmlfile reads XML files beside invoices, such as a configuration or a Schematron, with
// encoding/xml.
package xmlfile

import (
	"encoding/xml"
	"io"
	"strings"

	"einvoice/formats/xmlparse"
)

// Decoder returns a decoder for a file, which may have every encoding that an invoice may have. The
// error says what is wrong with its encoding, as xmlparse.Parse does.
func Decoder(data []byte) (*xml.Decoder, error) {
	text, err := xmlparse.Text(data)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(strings.NewReader(text))
	// The text is UTF-8, whatever encoding the file declares.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d, nil
}

// Unmarshal is that of encoding/xml for such a file.
func Unmarshal(data []byte, into any) error {
	d, err := Decoder(data)
	if err != nil {
		return err
	}
	return d.Decode(into)
}
