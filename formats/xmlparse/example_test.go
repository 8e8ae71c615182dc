package xmlparse_test

import (
	"errors"
	"fmt"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
)

func ExampleParse() {
	tree, err := xmlparse.Parse([]byte("<note><to>Ada</to></note>"), xmlparse.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	to := tree.FirstChild(tree.Root())
	fmt.Println(tree.NameOf(tree.Name(to)), "=", tree.Text(to), "at", tree.Position(to.Ref()))
	// Output: to = Ada at {1 7}
}

func ExampleParse_error() {
	_, err := xmlparse.Parse([]byte("<note>\n  <to>Ada</note>"), xmlparse.DefaultLimits())
	if e, ok := errors.AsType[*problem.Error](err); ok {
		fmt.Println(e.Code)
		fmt.Println(e.Message)
	}
	// Output:
	// XML-SYNTAX
	// found the end tag of "note", expected that of "to" (opened in line 2)
}
