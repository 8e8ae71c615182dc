package cli

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/service/report"
)

// expressionError points at a mistake in an expression.
func expressionError(expression string, err error) error {
	var mistake *expr.Error
	if !errors.As(err, &mistake) || mistake.Line == 0 {
		return err
	}
	return pointAt(expression, mistake.Line, max(mistake.Column, 1), err)
}

// pointAt shows the line of an expression that an error is about.
func pointAt(expression string, line, column int, err error) error {
	lines := strings.Split(expression, "\n")
	if line > len(lines) {
		return err
	}
	return fmt.Errorf("%d:%d: %w\n  %s\n  %s^", line, column, err, lines[line-1], strings.Repeat(" ", column-1))
}

// longLine is how many bytes of a value are printed on one line.
const longLine = 100

// readable writes a value as JSON: behind two blanks on the same line, or indented
// below if that would be long. An element is its path.
func readable(doc *model.Document, value any) string {
	flat := report.Flatten(doc, value)
	text, err := report.EncodeValue(flat, "")
	if _, isText := flat.(string); err == nil && len(text) > longLine && !isText {
		if text, err = report.EncodeValue(flat, "  "); err == nil {
			return "\n  " + text
		}
	}
	if err != nil {
		return "  error: " + err.Error()
	}
	return "  " + text
}
