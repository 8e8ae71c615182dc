package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/server/option"
)

// The document that the service hands out is one that clients are generated from. Of
// operations that take or answer several media types, generators use one, most of them
// the wrong one, or none that compiles. It therefore has one for each: the form for
// documents, JSON for answers, where there are these. The page /docs has all.

// forClients takes the other media types out of a document.
func forClients(doc map[string]any) {
	parameters, _ := tree(doc).sub("components")["parameters"].(map[string]any)
	paths := tree(doc).sub("paths")
	for path, item := range paths {
		operations, _ := item.(map[string]any)
		for method, operation := range operations {
			if op, ok := operation.(map[string]any); ok && op["x-for-people"] == true {
				delete(operations, method)
			}
		}
		if len(operations) == 0 {
			delete(paths, path)
			continue
		}
		for _, operation := range operations {
			if op, ok := operation.(map[string]any); ok {
				oneMediaType(op, parameters)
			}
		}
	}
}

func oneMediaType(op, parameters map[string]any) {
	if content := tree(op).sub("requestBody").sub("content"); content != nil {
		if others := keepMedia(content, "multipart/form-data"); len(others) > 0 {
			describe(op, fmt.Sprintf("The document may also be the body itself, as %s; options then come in the query.", strings.Join(others, ", ")))
		}
		form := tree(content).sub("multipart/form-data")
		if given, ok := op["parameters"].([]any); ok && form != nil {
			op["parameters"] = withoutFields(given, parameters, form.sub("schema").sub("properties"))
		}
		withoutOption(op, form, option.Explain, "#/components/schemas/RuleExplanation")
		withoutOption(op, form, option.Accept, "#/components/schemas/ParsedFile")
		withoutOption(op, form, option.Details, "#/components/schemas/Parsing")
	}
	responses, _ := op["responses"].(map[string]any)
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		content := tree(responses).sub(status).sub("content")
		kept := "application/json"
		if content["application/json"] == nil && status < "400" {
			keepMedia(content, "application/jsonl")
		}
		if status >= "400" {
			kept = "application/problem+json"
		}
		if others := keepMedia(content, kept); len(others) > 0 && status < "400" {
			describe(op, fmt.Sprintf("As `Accept` asks, the answer is also %s.", strings.Join(others, ", ")))
		}
	}
}

// describe adds a paragraph to what an operation is described by, if it is.
func describe(op map[string]any, paragraph string) {
	if text, _ := op["description"].(string); text != "" {
		paragraph = text + "\n\n" + paragraph
	}
	op["description"] = paragraph
}

// withoutOption takes an option out of a form that makes an answer of another type, and this
// type out of the answers: what is one of several types is hard to use in most languages.
func withoutOption(op, form tree, name, schema string) {
	fields := form.sub("schema").sub("properties")
	if fields[name] == nil {
		return
	}
	delete(fields, name)
	describe(op, fmt.Sprintf("The option `%s`, with another answer, is described in `/docs`.", name))
	for _, answer := range op.sub("responses") {
		media := tree(answer.(map[string]any)).sub("content").sub("application/json")
		several, _ := media.sub("schema")["anyOf"].([]any)
		several = slices.DeleteFunc(several, func(s any) bool { return s.(map[string]any)["$ref"] == schema })
		switch len(several) {
		case 0:
		case 1:
			media["schema"] = several[0]
		default:
			media.sub("schema")["anyOf"] = several
		}
	}
}

// keepMedia removes all other media types, if there is this one, and returns them.
func keepMedia(content map[string]any, kept string) (others []string) {
	if content[kept] == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if name != kept {
			others = append(others, "`"+name+"`")
			delete(content, name)
		}
	}
	return others
}

// withoutFields are the parameters of an operation but for those that are fields of its
// form as well.
func withoutFields(all []any, components, fields map[string]any) []any {
	return slices.DeleteFunc(all, func(p any) bool {
		parameter, _ := p.(map[string]any)
		if reference, ok := parameter["$ref"].(string); ok {
			parameter, _ = components[reference[strings.LastIndexByte(reference, '/')+1:]].(map[string]any)
		}
		name, _ := parameter["name"].(string)
		return parameter["in"] == "query" && fields[name] != nil
	})
}
