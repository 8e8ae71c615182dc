package pdf

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// A Kind is what an attachment is by its content.
type Kind string

// The kinds.
const (
	KindOther    Kind = ""
	KindCII      Kind = "cii"      // UN/CEFACT Cross Industry Invoice: Factur-X, ZUGFeRD since 2.0, XRechnung
	KindUBL      Kind = "ubl"      // UBL Invoice or CreditNote
	KindZUGFeRD1 Kind = "zugferd1" // ZUGFeRD 1.0, older than EN 16931
)

// kinds are the root elements of invoices, by the start of their namespace.
var kinds = []struct {
	local, namespace string
	kind             Kind
}{
	{"CrossIndustryInvoice", "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:", KindCII},
	{"Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", KindUBL},
	{"CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", KindUBL},
	{"CrossIndustryDocument", "urn:ferd:CrossIndustryDocument:", KindZUGFeRD1},
}

// byteOrderMarks are those that a document may begin with; it need not have one.
var byteOrderMarks = []string{"", "\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"}

// prologBytes is within how many bytes the root element is searched.
const prologBytes = 64 << 10

// Kind is what the attachment is by its root element; KindOther if it cannot be
// read.
func (a *Attachment) Kind() Kind {
	data, err := a.Data()
	if err != nil {
		return KindOther
	}
	return kindOf(data)
}

// Root is the name of the attachment's root element, and whether it is XML at all.
func (a *Attachment) Root() (xml.Name, bool) {
	data, err := a.Data()
	if err != nil {
		return xml.Name{}, false
	}
	return rootOf(data)
}

func kindOf(data []byte) Kind {
	root, _ := rootOf(data)
	for _, k := range kinds {
		if root.Local == k.local && strings.HasPrefix(root.Space, k.namespace) {
			return k.kind
		}
	}
	return KindOther
}

func rootOf(data []byte) (root xml.Name, found bool) {
	// In UTF-16, each character of the markup is an ASCII byte and a zero byte.
	head := bytes.ReplaceAll(data[:min(len(data), prologBytes)], []byte{0}, nil)
	start := bytes.IndexByte(head, '<')
	if start < 0 || !slices.Contains(byteOrderMarks, string(bytes.Trim(head[:start], " \t\r\n"))) {
		return root, false
	}
	decoder := xml.NewDecoder(bytes.NewReader(head[start:]))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		token, err := decoder.Token()
		if err != nil {
			return root, false
		}
		if element, ok := token.(xml.StartElement); ok {
			return element.Name, true
		}
	}
}
