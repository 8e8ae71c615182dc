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

// A draft is an XML document to be changed before it is read: examples of rules
// that select in the source document state what to change in a base document.
type draft struct {
	name     source.QName
	attrs    []draftAttr
	text     string
	children []*draft
}

type draftAttr struct {
	name  source.QName
	value string
}

func draftOf(t *source.Tree, n source.Node) *draft {
	d := &draft{name: t.NameOf(t.Name(n)), text: t.Text(n)}
	for _, a := range t.AttrsOf(n) {
		d.attrs = append(d.attrs, draftAttr{t.NameOf(a.Name), a.Value})
	}
	for c := range t.Children(n) {
		d.children = append(d.children, draftOf(t, c))
	}
	if len(d.children) > 0 {
		d.text = ""
	}
	return d
}

// mostMade is how many elements of a name an example may make.
const mostMade = 10_000

// set changes the element or attribute at a path below the root, such as
// cac:InvoiceLine[1]/cbc:ID or cbc:ID/@schemeID; positions count from 1, those
// past the end add elements up to there, null removes. Elements on the way are made.
func (d *draft) set(path string, n *yaml.Node) error {
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
				at.children = append(at.children[:index], at.children[index+1:]...)
			}
			return nil
		}
		if position < 1 || position > mostMade {
			return fmt.Errorf("line %d: %s: a position is a number from 1 to %d", n.Line, path, mostMade)
		}
		for index < 0 {
			at.children = append(at.children, &draft{name: q})
			index = at.find(q, position)
		}
		at = at.children[index]
		if last {
			at.text = n.Value
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

func (d *draft) find(q source.QName, position int) int {
	for i, c := range d.children {
		if c.name == q {
			if position--; position == 0 {
				return i
			}
		}
	}
	return -1
}

func (d *draft) setAttr(q source.QName, n *yaml.Node) {
	for i := range d.attrs {
		if d.attrs[i].name == q {
			d.attrs = append(d.attrs[:i], d.attrs[i+1:]...)
			break
		}
	}
	if n.Tag != "!!null" {
		d.attrs = append(d.attrs, draftAttr{q, n.Value})
	}
}

// write serialises the draft with the conventional prefixes, declared at the root.
func (d *draft) write() []byte {
	var b strings.Builder
	d.writeTo(&b, true)
	return []byte(b.String())
}

func (d *draft) writeTo(b *strings.Builder, root bool) {
	b.WriteString("<" + d.name.String())
	if root {
		for _, prefix := range slices.Sorted(maps.Keys(source.Prefixes)) {
			if prefix != "xml" {
				fmt.Fprintf(b, " xmlns:%s=%q", prefix, source.Prefixes[prefix])
			}
		}
	}
	for _, a := range d.attrs {
		b.WriteString(" " + a.name.String() + `="`)
		xml.EscapeText(b, []byte(a.value))
		b.WriteByte('"')
	}
	b.WriteByte('>')
	xml.EscapeText(b, []byte(d.text))
	for _, c := range d.children {
		c.writeTo(b, false)
	}
	b.WriteString("</" + d.name.String() + ">")
}
