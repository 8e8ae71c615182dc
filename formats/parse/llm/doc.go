// Package llm asks a large language model at an OpenAI-compatible endpoint, local or
// hosted, which words of an invoice's pages are which value.
//
//	model, err := llm.New(llm.Config{URL: "http://127.0.0.1:11434/v1", Model: "qwen3"})
//	result, err := parse.File(ctx, data, parse.Limits{}, parse.Aids{Model: model})
//
// The answer has the numbers of words, which a JSON Schema asks for, so it cannot have
// what is not on the pages. Nothing is logged, and errors have nothing of question or
// answer.
package llm
