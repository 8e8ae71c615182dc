package expr

import "strings"

// A FunctionDoc documents one function of the rule language.
type FunctionDoc struct {
	Name       string
	Signatures []string
	Doc        string
	Example    string // an expression that is true at the root of examples/base-ubl.xml
}

// Functions documents the whole function library, in the order of its tables.
func Functions() []FunctionDoc {
	docs := make([]FunctionDoc, 0, len(functions))
	for _, f := range functions {
		d := FunctionDoc{Name: f.name, Doc: f.doc, Example: f.example}
		for _, o := range f.overloads {
			d.Signatures = append(d.Signatures, o.signature(f.name))
		}
		docs = append(docs, d)
	}
	return docs
}

func (o overload) signature(name string) string {
	args := make([]string, len(o.args))
	for i, a := range o.args {
		args[i] = typeName(a)
	}
	if o.member {
		name, args = args[0]+"."+name, args[1:]
	}
	return name + "(" + strings.Join(args, ", ") + ") -> " + typeName(o.result)
}
