package problem_test

import (
	"errors"
	"fmt"
	"io"

	"einvoice/model/problem"
	"einvoice/model/source"
)

func ExampleError() {
	var err error = &problem.Error{
		Code: "XML-SYNTAX", Message: "the tag is not closed", Remedy: "close it",
		Position: source.Position{Line: 3, Column: 7}, Attachment: "factur-x.xml", Cause: io.ErrUnexpectedEOF,
	}
	fmt.Println(err)
	fmt.Println(&problem.Error{Code: "PDF-FONT", Message: "a font is not embedded", Page: 2})
	if p, ok := errors.AsType[*problem.Error](err); ok {
		fmt.Println(p.Code, errors.Is(err, io.ErrUnexpectedEOF))
	}
	// Output:
	// in the attachment factur-x.xml: line 3, column 7: the tag is not closed [XML-SYNTAX]; close it
	// page 2: a font is not embedded [PDF-FONT]
	// XML-SYNTAX true
}
