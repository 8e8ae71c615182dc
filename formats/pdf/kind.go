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

// marks are the byte order marks that may stand before a document, and none.
var marks = []string{"", "\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"}

// prologue is how far the root element is looked for.
const prologue = 64 << 10

// Kind tells what the attachment is by its root element. What cannot be read is
// KindOther.
func (a *Attachment) Kind() Kind {
	data, err := a.Data()
	if err != nil {
		return KindOther
	}
	return kindOf(data)
}

func kindOf(data []byte) Kind {
	// Of UTF-16, whose markup is ASCII with a zero byte each, the markup is enough.
	head := bytes.ReplaceAll(data[:min(len(data), prologue)], []byte{0}, nil)
	start := bytes.IndexByte(head, '<')
	if start < 0 || !slices.Contains(marks, string(bytes.Trim(head[:start], " \t\r\n"))) {
		return KindOther
	}
	decoder := xml.NewDecoder(bytes.NewReader(head[start:]))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		token, err := decoder.Token()
		if err != nil {
			return KindOther
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, k := range kinds {
			if root.Name.Local == k.local && strings.HasPrefix(root.Name.Space, k.namespace) {
				return k.kind
			}
		}
		return KindOther
	}
}
