package xpath

import (
	"einvoice/engine/budget"
	"einvoice/model"

	"github.com/antchfx/xpath"
)

// Direct reports whether the selection reads the fields directly.
func (s *ModelSelection) Direct() bool { return s.antchfx == nil }

// SelectWithAntchfx selects as a context does that has no direct form.
func SelectWithAntchfx(text string, top model.Object, b *budget.Budget) ([]model.Object, error) {
	expression, err := xpath.Compile(text)
	if err != nil {
		return nil, err
	}
	return evaluateOnModel(expression, top, b, nil), nil
}
