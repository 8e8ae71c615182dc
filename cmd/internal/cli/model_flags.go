package cli

import (
	"einvoice/formats/parse/llm"

	"github.com/spf13/pflag"
)

// modelFlags are the settings of the language model that parse asks.
func modelFlags(f *pflag.FlagSet, c *llm.Config) {
	f.StringVar(&c.URL, "parse-model-url", c.URL, "`URL` of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1, whose language model parse asks; without it no text of pages leaves the program")
	f.StringVar(&c.Model, "parse-model-name", c.Model, "`name` that the API has for the model")
	f.StringVar(&c.KeyFile, "parse-model-key-file", c.KeyFile, "`file` with the API's key")
	f.StringVar(&c.KeyVariable, "parse-model-key-variable", c.KeyVariable, "`name` of an environment variable with the API's key, in place of the file")
	f.BoolVar(&c.Pictures, "parse-model-pictures", c.Pictures, "send pictures of the first ten pages too, for a model that sees")
	spanVar(f, &c.Time, "parse-model-time", "longest wait for an answer of the model, of which there are two at most")
	countVar(f, &c.Bytes, "parse-model-bytes", "most bytes of an answer of the model")
	countVar(f, &c.Words, "parse-model-words", "most words of pages; with more the model is not asked")
}
