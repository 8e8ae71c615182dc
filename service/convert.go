package service

import (
	"einvoice/formats"
	"einvoice/model"
)

// Convert makes a document in another syntax out of one that was read, which keeps the
// profile that it declares. The result is not validated.
func (s *Service) Convert(doc *model.Document, syntax model.Syntax) (*formats.Conversion, error) {
	creditNotes, err := s.library.CodeList(readCatalogue().CreditNotes)
	if err != nil {
		return nil, err
	}
	return formats.Convert(doc, formats.Output{Syntax: syntax, CreditNote: creditNotes.Contains})
}
