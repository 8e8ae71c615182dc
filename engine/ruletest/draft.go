package ruletest

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/source"

	"gopkg.in/yaml.v3"
)

// A Draft is an XML document to be changed before it is read: examples of rules
// that select in the source document state what to change in a base document.
type Draft struct {
	Name     source.QName
	Attrs    []DraftAttr
	Text     string
	Children []*Draft
}

// A DraftAttr is an attribute of a draft.
type DraftAttr struct {
	Name  source.QName
	Value string
}

// DraftOf is a draft of an element and all inside it.
func DraftOf(t *source.Tree, n source.Node) *Draft {
	d := &Draft{Name: t.NameOf(t.Name(n)), Text: t.Text(n)}
	for _, a := range t.AttrsOf(n) {
		d.Attrs = append(d.Attrs, DraftAttr{t.NameOf(a.Name), a.Value})
	}
	for c := range t.Children(n) {
		d.Children = append(d.Children, DraftOf(t, c))
	}
	if len(d.Children) > 0 {
		d.Text = ""
	}
	return d
}

// mostMade is how many elements of a name an example may make.
const mostMade = 10_000

// Set changes the element or attribute at a path below the root, such as
// cac:InvoiceLine[1]/cbc:ID or cbc:ID/@schemeID; positions count from 1, those
// past the end add elements up to there, null removes. Elements on the way are made.
func (d *Draft) Set(path string, n *yaml.Node) error {
	at := d
	steps := strings.Split(path, "/")
	for i, step := range steps {
		last := i == len(steps)-1
		if attr, ok := strings.CutPrefix(step, "@"); ok {
			q, err := source.ParseQName(attr)
			if err != nil {
				return err
			}
			at.setAttr(q, n)
			return nil
		}
		q, position, err := splitPosition(step)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", n.Line, path, err)
		}
		index := at.find(q, position)
		if last && n.Tag == "!!null" {
			if index >= 0 {
				at.Children = append(at.Children[:index], at.Children[index+1:]...)
			}
			return nil
		}
		if position < 1 || position > mostMade {
			return fmt.Errorf("line %d: %s: a position is a number from 1 to %d", n.Line, path, mostMade)
		}
		for index < 0 {
			at.Children = append(at.Children, &Draft{Name: q})
			index = at.find(q, position)
		}
		at = at.Children[index]
		if last {
			at.Text = n.Value
		}
	}
	return nil
}

func splitPosition(step string) (source.QName, int, error) {
	name, rest, found := strings.Cut(step, "[")
	q, err := source.ParseQName(name)
	if err != nil || !found {
		return q, 1, err
	}
	position, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	return q, position, err
}

func (d *Draft) find(q source.QName, position int) int {
	for i, c := range d.Children {
		if c.Name == q {
			if position--; position == 0 {
				return i
			}
		}
	}
	return -1
}

func (d *Draft) setAttr(q source.QName, n *yaml.Node) {
	for i := range d.Attrs {
		if d.Attrs[i].Name == q {
			d.Attrs = append(d.Attrs[:i], d.Attrs[i+1:]...)
			break
		}
	}
	if n.Tag != "!!null" {
		d.Attrs = append(d.Attrs, DraftAttr{q, n.Value})
	}
}

// Write serialises the draft with the conventional prefixes, declared at the root.
func (d *Draft) Write() []byte {
	var b strings.Builder
	d.writeTo(&b, true)
	return []byte(b.String())
}

func (d *Draft) writeTo(b *strings.Builder, root bool) {
	b.WriteString("<" + d.Name.String())
	if root {
		for _, prefix := range slices.Sorted(maps.Keys(source.Prefixes)) {
			if prefix != "xml" {
				fmt.Fprintf(b, " xmlns:%s=%q", prefix, source.Prefixes[prefix])
			}
		}
	}
	for _, a := range d.Attrs {
		b.WriteString(" " + a.Name.String() + `="`)
		xml.EscapeText(b, []byte(a.Value))
		b.WriteByte('"')
	}
	b.WriteByte('>')
	xml.EscapeText(b, []byte(d.Text))
	for _, c := range d.Children {
		c.writeTo(b, false)
	}
	b.WriteString("</" + d.Name.String() + ">")
}
