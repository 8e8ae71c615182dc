package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
	"gopkg.in/yaml.v3"
)

// A program is a rule compiled for one type of context node. Compiling waits
// until a document first has such a node, because one document needs few of
// all rules.
type program struct {
	form    ruleForm
	this    *types.Type
	library *Library

	once   sync.Once
	assert fn[bool]
	err    error

	messageOnce sync.Once
	message     message

	fields []fieldPath
}

// decide compiles on first use and evaluates.
func (p *program) decide(f *frame) (holds, ok bool) {
	p.once.Do(func() { p.assert, p.err = p.library.compileAssertion(p.form.assert, p.this) })
	if p.err != nil {
		f.fail(errOther, nil, p.err.Error())
		return false, false
	}
	if v := p.form.at(f.doc); v != nil && !v.Applies {
		return true, true
	}
	f.steps, f.err = 0, evalError{}
	return p.assert(f)
}

// A message is text with expressions in braces between.
type message struct {
	parts []messagePart
	err   error
}

type messagePart struct {
	text  string
	value *expr
}

// parseMessage splits "Set BT-106 to {this.x}." into text and expressions.
func (l *Library) parseMessage(text string, this *types.Type) message {
	var m message
	for text != "" {
		before, expression, after, err := cutExpression(text)
		m.parts = append(m.parts, messagePart{text: before})
		if err != nil {
			m.err = err
			break
		}
		if expression != "" {
			value, err := l.compileCEL(expression, this)
			if err != nil {
				m.err = fmt.Errorf("{%s}: %w", expression, err)
				break
			}
			m.parts = append(m.parts, messagePart{value: &value})
		}
		text = after
	}
	return m
}

// cutExpression finds the first expression in a message.
func cutExpression(text string) (before, expression, after string, err error) {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return text, "", "", nil
	}
	length := strings.IndexByte(text[open:], '}')
	if length < 0 {
		return text, "", "", errors.New("a { in the message has no }")
	}
	return text[:open], text[open+1 : open+length], text[open+length+1:], nil
}

// messageExpressions are all expressions in a message.
func messageExpressions(text string) (expressions []string) {
	for text != "" {
		_, expression, after, err := cutExpression(text)
		if err != nil {
			break
		}
		if expression != "" {
			expressions = append(expressions, expression)
		}
		text = after
	}
	return expressions
}

func (m *message) render(f *frame) string {
	var b strings.Builder
	for _, part := range m.parts {
		b.WriteString(part.text)
		if part.value != nil {
			b.WriteString(part.value.show(f))
		}
	}
	return b.String()
}

// show writes a value for people; what is absent is called nothing.
func (e *expr) show(f *frame) string {
	f.steps = 0
	switch {
	case e.text != nil:
		if s, ok := e.text(f); ok {
			return shorten(normalizeSpace(s))
		}
	case e.decimal != nil:
		if e.leaf != nil { // as written, even if it is no number
			if o, ok := e.leaf.of(f); ok && o.Has(e.leaf.field) {
				return shorten(normalizeSpace(o.Raw(e.leaf.field)))
			}
			return "nothing"
		}
		if d, ok := e.decimal(f); ok {
			return d.String()
		}
	case e.integer != nil:
		if i, ok := e.integer(f); ok {
			return fmt.Sprint(i)
		}
	case e.date != nil:
		if d, ok := e.date(f); ok {
			return d.ISO()
		}
	case e.boolean != nil:
		if v, ok := e.boolean(f); ok {
			return fmt.Sprint(v)
		}
	}
	return "nothing"
}

// shorten keeps a hostile or careless value from filling the message.
func shorten(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return s
}

// A fieldPath is an entry of a rule's fields: relative to the context, or from
// the invoice with a leading slash.
type fieldPath struct {
	absolute bool
	steps    []*model.Field
}

func parseFieldPath(text string, this *model.Type) (fieldPath, error) {
	name, absolute := strings.CutPrefix(text, "/")
	p := fieldPath{absolute: absolute}
	t := this
	if absolute {
		t = model.InvoiceType()
	}
	for i, step := range strings.Split(name, ".") {
		if i > 0 && (t == nil || p.steps[i-1].Kind == model.KindList) {
			return p, fmt.Errorf("field %q: %s is not one group, so nothing in it can be named", text, p.steps[i-1].Name)
		}
		f, ok := t.Field(step)
		if !ok {
			message := fmt.Sprintf("field %q: %s has no %s", text, t.Name, step)
			if near := t.Nearest(step); near != "" {
				message += fmt.Sprintf("; did you mean %s?", near)
			}
			return p, errors.New(message)
		}
		p.steps = append(p.steps, f)
		t = f.Elem
	}
	return p, nil
}

// A contextGroup is all rules that share a context, so that it is looked for
// once.
type contextGroup struct {
	text string

	// over the invoice
	selector *modelSelector
	byType   map[*model.Type][]*program

	// over the source document
	paths   []*sourcePath
	element []*program
}

func (g *contextGroup) onSource() bool { return g.selector == nil }

// selectsInSource tells the two kinds of contexts apart: names in a document
// have prefixes, names in the invoice have none.
func selectsInSource(context string) bool {
	if strings.HasPrefix(context, "/*") || strings.HasPrefix(context, "//*") {
		return true
	}
	var quote byte // what ends the text that a predicate compares with, 0 outside of one
	for i := range len(context) {
		switch c := context[i]; {
		case quote == 0 && c == ':':
			return true
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return false
}

func compileContext(text string) (*contextGroup, error) {
	x, err := parseXPath(text, true)
	if err != nil {
		return nil, err
	}
	g := &contextGroup{text: text}
	if !selectsInSource(text) {
		g.selector, err = compileModelContext(x)
		g.byType = map[*model.Type][]*program{}
		return g, err
	}
	for _, path := range x.paths {
		p, err := compileSourcePath(path)
		if err != nil {
			return nil, err
		}
		if last := p.steps[len(p.steps)-1]; last.axis != axisChild && last.axis != axisAny {
			return nil, &xpathError{column: path.steps[len(path.steps)-1].column, message: "a context selects elements"}
		}
		g.paths = append(g.paths, p)
	}
	return g, nil
}

// add compiles a rule into the group, once for every type of node.
func (g *contextGroup) add(l *Library, form ruleForm) error {
	if g.onSource() {
		g.element = append(g.element, &program{form: form, this: elementType, library: l})
		return checkSourceFields(form.fields)
	}
	var failure error
	for _, t := range g.selector.types {
		p := &program{form: form, this: types.NewObjectType(t.Name), library: l}
		for _, text := range form.fields {
			path, err := parseFieldPath(text, t)
			if err != nil {
				failure = err
				continue
			}
			p.fields = append(p.fields, path)
		}
		g.byType[t] = append(g.byType[t], p)
	}
	return failure
}

// checkSourceFields checks the fields of a rule that selects in the source
// document: which group they are relative to shows only there, so some group
// must have them.
func checkSourceFields(fields []string) error {
	for _, text := range fields {
		known := slices.ContainsFunc(slices.Collect(maps.Values(provider().byName)), func(t *model.Type) bool {
			_, err := parseFieldPath(text, t)
			return err == nil
		})
		if !known {
			return fmt.Errorf("field %q: no group of the invoice has it", text)
		}
	}
	return nil
}

func (g *contextGroup) programs() []*program {
	if g.onSource() {
		return g.element
	}
	var all []*program
	for _, t := range g.selector.types {
		all = append(all, g.byType[t]...)
	}
	return all
}

// errorAt places a mistake in an expression or context in its file.
func errorAt(file string, n *yaml.Node, err error) LoadError {
	e := LoadError{File: file, Message: err.Error()}
	if n == nil {
		return e
	}
	e.Line, e.Column = n.Line, n.Column
	line, column := 1, 1
	var inExpr *exprError
	var inXPath *xpathError
	switch {
	case errors.As(err, &inExpr):
		line, column = max(inExpr.line, 1), max(inExpr.column, 1)
	case errors.As(err, &inXPath):
		column = inXPath.column
	}
	switch n.Style {
	case yaml.LiteralStyle: // each line of the text is a line of the file
		e.Line, e.Column = n.Line+line, column
	case yaml.FoldedStyle: // lines were joined: only the start is known
		e.Line++
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		e.Column += column
	default:
		e.Column += column - 1
	}
	return e
}
