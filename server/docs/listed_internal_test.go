package docs

import (
	"einvoice/formats/jsoninvoice"
	"slices"
	"testing"

	"einvoice/service/operation"
)

// A further operation of the list is described.
func TestListedIsDescribed(t *testing.T) {
	before := operation.All
	t.Cleanup(func() { operation.All = before })
	operation.All = append(slices.Clone(before), &operation.Operation{Name: "toy", To: func() []string { return []string{"number"} }})
	doc, err := readOpenAPI(jsoninvoice.Usual)
	if err != nil {
		t.Fatal(err)
	}
	if paths, _ := doc["paths"].(map[string]any); paths["/v1/toy/to/number"] == nil {
		t.Error("there is no path of the toy")
	}
}
