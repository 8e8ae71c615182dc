package kosit

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"einvoice/model"
	"einvoice/model/strictyaml"
)

//go:embed catalogue.yaml
var catalogueYAML []byte

// catalogue is catalogue.yaml.
type catalogue struct {
	Schemas        []resource        `yaml:"schemas"`
	Schematron     []resource        `yaml:"schematron"`
	Reports        []resource        `yaml:"reports"`
	AcceptMatch    string            `yaml:"acceptMatch"`
	Name           string            `yaml:"name"`
	Author         string            `yaml:"author"`
	Date           string            `yaml:"date"`
	Scenarios      []builtInScenario `yaml:"scenarios"`
	OtherDocuments []string          `yaml:"otherDocuments"`
}

// A resource is a file of a configuration that is known here.
type resource struct {
	File     string `yaml:"file"` // its name, without folders
	Name     string `yaml:"name"`
	Location string `yaml:"location"`

	Syntax     model.Syntax `yaml:"syntax"`     // of the documents that it is for
	Root       string       `yaml:"root"`       // of the documents that a schema is for
	Identifier string       `yaml:"identifier"` // where they have the profile's identifier
	Family     string       `yaml:"family"`     // of rulesets
}

// A builtInScenario is one for documents with a root that declare a profile.
type builtInScenario struct {
	Name    string `yaml:"name"`
	Profile string `yaml:"profile"`
	Root    string `yaml:"root"`
	Overlay string `yaml:"overlay"` // with the custom levels; "" for none
}

// readCatalogue is the catalogue, which is part of the program.
var readCatalogue = sync.OnceValue(func() *catalogue {
	c := &catalogue{}
	if err := strictyaml.Decode(catalogueYAML, c); err != nil {
		panic(fmt.Sprintf("catalogue.yaml: %v", err))
	}
	return c
})

// find is the known file that a location names. Compiled Schematron ends in .xsl or .xslt.
func find(known []resource, location string) *resource {
	name := path.Base(strings.ReplaceAll(strings.TrimSpace(location), `\`, "/"))
	if base, isXSLT := strings.CutSuffix(name, ".xslt"); isXSLT {
		name = base + ".xsl"
	}
	for i := range known {
		if known[i].File == name {
			return &known[i]
		}
	}
	return nil
}

// names lists the files, for messages.
func names(known []resource) string {
	all := make([]string, len(known))
	for i := range known {
		all[i] = known[i].File
	}
	return strings.Join(all, ", ")
}
