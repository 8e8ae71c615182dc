package engine

import (
	"errors"

	"einvoice/engine/expr"
	"einvoice/engine/xpath"

	"gopkg.in/yaml.v3"
)

// Located is a value of a rule file with the place where it is written.
type Located[T any] struct {
	Value T
	Node  *yaml.Node // nil where the file does not have it
}

func located[T any](value T, n *yaml.Node) Located[T] { return Located[T]{value, n} }

// Written reports whether the file has the value, even an empty one.
func (l Located[T]) Written() bool { return l.Node != nil }

// Or is the value, or another where the file does not have it.
func (l Located[T]) Or(other Located[T]) Located[T] {
	if l.Written() {
		return l
	}
	return other
}

// Mistake is an error in the value, or in the expression or context that it
// holds.
func (l Located[T]) Mistake(file string, err error) LoadError { return ErrorAt(file, l.Node, err) }

// ErrorAt is an error at a node, or within the expression or context that the
// node holds.
func ErrorAt(file string, n *yaml.Node, err error) LoadError {
	e := LoadError{File: file, Message: err.Error()}
	if n == nil {
		return e
	}
	e.Line, e.Column = n.Line, n.Column
	line, column := 1, 1
	var inExpression *expr.Error
	var inContext *xpath.Error
	switch {
	case errors.As(err, &inExpression):
		line, column = max(inExpression.Line, 1), max(inExpression.Column, 1)
	case errors.As(err, &inContext):
		column = inContext.Column
	}
	switch n.Style {
	case yaml.LiteralStyle, yaml.FoldedStyle:
		e.inBlock = inBlock{n, line, column}
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		e.Column += column
	default:
		e.Column += column - 1
	}
	return e
}
