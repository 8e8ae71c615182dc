package proving

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/model/source"
	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
)

// readSheet reads a published file. What of it cannot be parsed is looked at as far as it can:
// an assert without a test that is understood is made documents for by its context alone.
func readSheet(file string) (*sheet, error) {
	read, err := schematron.Read(os.DirFS(filepath.Dir(file)), filepath.Base(file), "")
	if err != nil {
		return nil, err
	}
	s := &sheet{file: file, globals: map[string]*xpath2.Node{}, functions: map[string]*function{}, prefixes: map[string]string{}}
	for prefix, uri := range read.Prefixes {
		for ours, known := range source.Prefixes {
			if known == uri {
				s.prefixes[prefix] = ours
			}
		}
	}
	variables := read.Variables
	for _, p := range read.Patterns {
		variables = append(variables, p.Variables...)
	}
	for _, v := range variables {
		if n, err := xpath2.Parse(v.Select); err == nil {
			s.globals[v.Name] = n
		}
	}
	for _, f := range read.Functions {
		one := &function{parameters: f.Parameters}
		texts := []string{f.Result}
		for _, v := range f.Variables {
			texts = append(texts, v.Select)
		}
		for _, text := range texts {
			if n, err := xpath2.Parse(text); err == nil {
				one.body = append(one.body, n)
			}
		}
		s.functions[f.Name] = one
	}
	for _, p := range read.Patterns {
		earlier := map[string][]*xpath2.Node{} // by the last name of their paths
		for _, r := range p.Rules {
			context, err := xpath2.Parse(r.Context)
			if err != nil {
				continue
			}
			last := lastName(context)
			for _, a := range r.Asserts {
				one := &assert{Assert: a, context: context, earlier: earlier[last], sheet: s, lets: map[string]*xpath2.Node{}}
				one.test, _ = xpath2.Parse(a.Test)
				for _, v := range a.Variables {
					if n, err := xpath2.Parse(v.Select); err == nil {
						one.lets[v.Name] = n
					}
				}
				s.asserts = append(s.asserts, one)
			}
			const most = 3
			if len(earlier[last]) < most {
				earlier[last] = append(earlier[last], context)
			}
		}
	}
	return s, nil
}

// lastName is what the last step of a context names.
func lastName(context *xpath2.Node) string {
	if context.Op == xpath2.Union && len(context.Args) > 0 {
		context = context.Args[0]
	}
	if len(context.Steps) == 0 {
		return ""
	}
	return context.Steps[len(context.Steps)-1].Test
}

var ciiName = pattern.Later(`\b(rsm|ram|udt|qdt):`)

// syntax is the syntax that most contexts name elements of.
func (s *sheet) syntax() model.Syntax {
	cii := 0
	for _, a := range s.asserts {
		a.context.Walk(func(n *xpath2.Node) bool {
			for _, step := range n.Steps {
				if ciiName().MatchString(step.Test) {
					cii++
					return false
				}
			}
			return true
		})
	}
	if 2*cii > len(s.asserts) {
		return model.CII
	}
	return model.UBL
}

// digest is the SHA-256 of the file.
func (s *sheet) digest() (string, error) {
	data, err := os.ReadFile(s.file)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// at is the id of the assert whose test stands in a line, or of the first after it: a line is
// that of a rule, too. Before all rules stand functions, which are of no assert.
func (s *sheet) at(line int) string {
	var first, found *assert
	for _, a := range s.asserts {
		if first == nil || a.Line < first.Line {
			first = a
		}
		if a.Line >= line && (found == nil || a.Line < found.Line) {
			found = a
		}
	}
	const head = 15 // lines from a rule to its first test
	if found == nil || line < first.Line-head {
		return ""
	}
	return found.ID
}
