package engine

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/engine/expr"
	"einvoice/engine/words"
)

// A message is text with expressions in braces between: "Set BT-106 to {this.x}."
type message struct {
	parts []messagePart
	err   error
}

type messagePart struct {
	text  string
	value *expr.Program // nil for a part that is text alone
}

func compileMessage(env *expr.Environment, text string, this expr.This) message {
	var m message
	for text != "" {
		before, expression, after, err := CutExpression(text)
		m.parts = append(m.parts, messagePart{text: before})
		if err != nil {
			m.err = err
			break
		}
		if expression != "" {
			value, err := env.Compile(expression, this)
			if err != nil {
				m.err = fmt.Errorf("{%s}: %w", expression, err)
				break
			}
			if !value.Shown() {
				m.err = fmt.Errorf("{%s}: a message shows texts, numbers and days, and this is none of them", expression)
				break
			}
			m.parts = append(m.parts, messagePart{value: value})
		}
		text = after
	}
	return m
}

// CutExpression finds the first expression in a message.
func CutExpression(text string) (before, expression, after string, err error) {
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

// MessageExpressions are all expressions in a message.
func MessageExpressions(text string) (expressions []string) {
	for text != "" {
		_, expression, after, err := CutExpression(text)
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

// render writes the message with the values of this activation.
func (m *message) render(act *expr.Activation) (text string, values []words.Value) {
	var b strings.Builder
	for _, part := range m.parts {
		b.WriteString(part.text)
		if part.value != nil {
			value := words.Value{Text: part.value.Show(act), Kind: kindOfValue(part.value)}
			b.WriteString(value.Text)
			values = append(values, value)
		}
	}
	return b.String(), values
}
