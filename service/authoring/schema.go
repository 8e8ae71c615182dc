package authoring

import (
	"maps"
	"path"
	"slices"
	"strings"

	"einvoice/engine/files"
)

// Kinds are the kinds of files that have a schema, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(files.Described().Kinds)) }

// Schema is the JSON Schema (draft 07, which editors read) of a kind of file; nil for a
// kind that there is not.
func Schema(kind string) map[string]any {
	f := files.Described()
	k := f.Kinds[kind]
	if k == nil {
		return nil
	}
	defs := map[string]any{}
	for name, shape := range f.Reach(k.Shape) {
		defs[name] = schemaOf(shape)
	}
	return map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": k.Title + " (" + k.Path + ")",
		"$ref": "#/definitions/" + k.Shape, "definitions": defs,
	}
}

func schemaOf(shape files.Shape) map[string]any {
	properties := map[string]any{}
	var required []string
	out := map[string]any{"type": "object", "additionalProperties": false}
	for name, k := range shape {
		if name == "*" {
			out["additionalProperties"] = valueSchema(k)
			continue
		}
		properties[name] = valueSchema(k)
		if k.Required {
			required = append(required, name)
		}
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if slices.Sort(required); required != nil {
		out["required"] = required
	}
	return out
}

// scalar are the types of YAML that a text may be written as: 1.3 is a number there.
var scalar = []string{"string", "number", "boolean", "null"}

// inConstant is a text that a constant or a row of a repeat fills in.
const inConstant = `\$\{`

func valueSchema(k *files.Key) map[string]any {
	out := map[string]any{"description": k.About}
	switch values := valuesOf(k); k.Type {
	case "any":
	case "boolean":
		out["type"] = "boolean"
	case "text":
		if out["type"] = scalar; values != nil {
			delete(out, "type")
			out["anyOf"] = []any{map[string]any{"enum": values}, map[string]any{"type": "string", "pattern": inConstant}}
		}
	case "texts":
		out["type"], out["items"] = "array", map[string]any{"type": scalar}
	case "words":
		out["anyOf"] = []any{map[string]any{"type": "string"}, map[string]any{"type": "array", "items": map[string]any{"type": scalar}}}
	case "list":
		out["type"], out["items"] = "array", inner(k.Of)
	case "map":
		if out["type"] = "object"; values != nil {
			names := map[string]any{}
			for _, name := range values {
				names[name] = inner(k.Of)
			}
			out["properties"], out["additionalProperties"] = names, false
		} else {
			out["additionalProperties"] = inner(k.Of)
		}
	default:
		out["$ref"] = "#/definitions/" + k.Type
	}
	return out
}

// inner is the schema of what is inside a list or map.
func inner(of string) map[string]any {
	if files.Described().Shapes[of] != nil {
		return map[string]any{"$ref": "#/definitions/" + of}
	}
	return valueSchema(&files.Key{Type: of})
}

// SchemaFolder is where editors find the schemas, in a folder of rulesets.
const SchemaFolder = ".schemas"

// SchemaLine is the first line of a file, by which editors find its schema; "" for a file
// of no kind.
func SchemaLine(name string) string {
	k := files.KindOf(name)
	if k == nil {
		return ""
	}
	for id, of := range files.Described().Kinds {
		if of == k {
			up := strings.Repeat("../", strings.Count(path.Clean(name), "/"))
			return "# yaml-language-server: $schema=" + up + SchemaFolder + "/" + id + ".json"
		}
	}
	return ""
}
