package archive

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// structureTree makes the names of structure types valid UTF-8, and removes the files
// that are associated with structure elements.
func (c *converter) structureTree() {
	root := c.Dict(c.catalog["StructTreeRoot"])
	if root == nil {
		delete(c.catalog, "StructTreeRoot")
		delete(c.catalog, "MarkInfo")
		return
	}
	if roles := c.Dict(root["RoleMap"]); roles != nil {
		for _, key := range slices.Sorted(maps.Keys(roles)) {
			value := types.Name(utf8Name(c.Name(roles[key])))
			delete(roles, key)
			if value != "" {
				roles[utf8Name(key)] = value
			}
		}
	}
	delete(root, "AF")
	seen := map[uintptr]bool{}
	for stack := []types.Object{root["K"]}; len(stack) > 0 && c.Step(); {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch o := c.Resolve(top).(type) {
		case types.Array:
			stack = append(stack, o...)
		case types.Dict:
			if seen[identity(o)] {
				continue
			}
			seen[identity(o)] = true
			if s, ok := c.Resolve(o["S"]).(types.Name); ok {
				o["S"] = types.Name(utf8Name(string(s)))
			}
			delete(o, "AF")
			stack = append(stack, o["K"])
		}
	}
}

// utf8Name is a name in UTF-8, which PDF/A requires of some names. Of a name that is not
// valid, bytes beyond ASCII are written as their code.
func utf8Name(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var out strings.Builder
	for _, b := range []byte(name) {
		if b < utf8.RuneSelf {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "_%02X", b)
		}
	}
	return out.String()
}
