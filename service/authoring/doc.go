// Package authoring helps people write rules: JSON Schemas of the files, mistakes while
// they type, completion, hover, definitions, corrections, and examples that run. It has no
// protocol of any editor: texts and positions come in, texts and positions go out, so that
// the language server and an editor on a web page use the same.
//
//	w := authoring.Open(os.DirFS("my-rules"), rulesets.FS)
//	w.Change("company/1/orders.yaml", text)
//	mistakes, err := w.Check() // by file
package authoring
