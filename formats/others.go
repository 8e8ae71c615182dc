package formats

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"einvoice/model/problem"
	"einvoice/model/source"
	"einvoice/model/strictyaml"
)

//go:embed others.yaml
var othersYAML []byte

// An other is a document that is known and not read; others.yaml lists them.
type other struct {
	Root      string `yaml:"root"`
	Namespace string `yaml:"namespace"`
	Is        string `yaml:"is"`
	Remedy    string `yaml:"remedy"`
	Wrapper   bool   `yaml:"wrapper"`
}

var others = sync.OnceValue(func() []*other {
	var file struct {
		Documents []*other `yaml:"documents"`
	}
	if err := strictyaml.Decode(othersYAML, &file); err != nil {
		panic(fmt.Sprintf("others.yaml: %v", err)) // the file is part of the program, and a test reads it
	}
	return file.Documents
})

// otherNamed finds the document that is known by a root element; nil if there is none.
func otherNamed(root source.QName) *other {
	for _, o := range others() {
		if o.Root == root.Local && strings.HasPrefix(root.URI, o.Namespace) {
			return o
		}
	}
	return nil
}

func (o *other) problem() *problem.Error {
	return &problem.Error{Code: CodeOtherDocument, Message: "this is " + o.Is, Remedy: o.Remedy}
}

// Known is the error that names a document by its root element, which is known and no
// invoice; nil for others, and for envelopes.
func Known(root source.QName) *problem.Error {
	if o := otherNamed(root); o != nil && !o.Wrapper {
		return o.problem()
	}
	return nil
}
