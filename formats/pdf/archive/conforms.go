package archive

import (
	"fmt"
	"time"

	"einvoice/formats/pdf"
)

// Conforms tells why a PDF is not PDF/A-3, as far as Convert can tell: what would be refused
// or would have to be changed. Nil is not a proof.
func Conforms(data []byte, limits pdf.Limits) error {
	converted, err := Convert(data, Metadata{Title: "-", Date: new(time.Unix(0, 0))}, nil, limits)
	if err != nil {
		return err
	}
	for _, change := range converted.Changes {
		if change.What != droppedUA { // what it claims beside PDF/A is another question
			return fmt.Errorf("it would have to be changed to be PDF/A-3: page %d: %s", change.Page, change.What)
		}
	}
	return nil
}
