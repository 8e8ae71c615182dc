package xmlparse

import (
	"context"
	"strconv"

	"einvoice/model/problem"
	"einvoice/model/source"
)

// Parse parses one document. The texts of the tree share the memory of data, which must
// not change while the tree is in use. Every error is a *problem.Error.
func Parse(data []byte, limits Limits) (*source.Tree, error) {
	return ParseContext(context.Background(), data, limits)
}

// ParseContext is Parse until the context ends. The error is CodeLimit then, with the context's
// as its cause.
func ParseContext(ctx context.Context, data []byte, limits Limits) (*source.Tree, error) {
	limits = limits.withDefaults()
	if len(data) > limits.Bytes {
		return nil, &problem.Error{
			Code: CodeLimit, Message: "the document is larger than " + strconv.Itoa(limits.Bytes) + " bytes",
			Remedy: "split the document or raise the limit on its size",
		}
	}
	text, err := decode(data)
	if err != nil {
		return nil, err
	}
	if isBlank(text) {
		return nil, &problem.Error{Code: CodeEmpty, Message: "the document is empty", Remedy: "send an XML document"}
	}
	p := parsers.Get().(*parser)
	tree, err := p.parse(ctx, text, limits)
	p.reset()
	parsers.Put(p)
	if err != nil {
		if tree != nil {
			tree.GiveBack()
		}
		return nil, err
	}
	return tree, nil
}
