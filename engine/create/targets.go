package create

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

//go:embed targets.yaml
var targetsYAML []byte

// targets is what can be created, as targets.yaml says.
type targets struct {
	Formats           []target          `yaml:"formats"`
	BusinessProcesses map[string]string `yaml:"businessProcesses"` // by profile
}

type target struct {
	Name      string         `yaml:"name"`
	Container container      `yaml:"container"`
	Syntaxes  []model.Syntax `yaml:"syntaxes"`
	Profiles  []offered      `yaml:"profiles"`
	TypeCode  string         `yaml:"typeCode"`
}

// A container is what an invoice is delivered in.
type container string

const (
	bare  container = ""    // the XML itself
	inPDF container = "pdf" // pages, to which the XML is attached
)

// An offered profile has a name in requests, and an id in the rulesets.
type offered struct{ name, id string }

// UnmarshalYAML reads the id alone, or the name with the id.
func (o *offered) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		o.name, o.id = node.Value, node.Value
		return nil
	}
	if node.Kind != yaml.MappingNode || len(node.Content) != 2 {
		return fmt.Errorf("line %d: a profile is its id, or its name with its id", node.Line)
	}
	o.name, o.id = node.Content[0].Value, node.Content[1].Value
	return nil
}

var readTargets = sync.OnceValue(func() *targets {
	t := &targets{}
	if err := yaml.Unmarshal(targetsYAML, t); err != nil {
		panic(fmt.Sprintf("targets.yaml: %v", err)) // part of the program; a test holds it right
	}
	return t
})

// Formats are the names of what can be created.
func Formats() []string {
	var names []string
	for _, f := range readTargets().Formats {
		names = append(names, f.Name)
	}
	return names
}

func targetOf(format string) (*target, error) {
	all := readTargets().Formats
	i := slices.IndexFunc(all, func(t target) bool { return t.Name == format })
	if i < 0 {
		return nil, fmt.Errorf("there is no format %q to create; use one of %s", format, strings.Join(Formats(), ", "))
	}
	return &all[i], nil
}

// profile is the id of the profile that was asked for, or of the usual one.
func (t *target) profile(asked string) (string, error) {
	if asked == "" {
		return t.Profiles[0].id, nil
	}
	names := make([]string, len(t.Profiles))
	for i, p := range t.Profiles {
		if p.name == asked {
			return p.id, nil
		}
		names[i] = p.name
	}
	return "", fmt.Errorf("%s has no profile %q; use one of %s", t.Name, asked, strings.Join(names, ", "))
}

// syntax is the syntax that was asked for, or the usual one.
func (t *target) syntax(asked string) (model.Syntax, error) {
	switch {
	case asked == "":
		return t.Syntaxes[0], nil
	case slices.Contains(t.Syntaxes, model.Syntax(asked)):
		return model.Syntax(asked), nil
	}
	return "", fmt.Errorf("%s is not written in %q; use one of %q", t.Name, asked, t.Syntaxes)
}
