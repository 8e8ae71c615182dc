package guest_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/guest"
)

func ExampleGuest_Call() {
	g, err := guest.Open()
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml") // an invoice that ships with the rules
	if err != nil {
		log.Fatal(err)
	}
	request, err := json.Marshal(map[string]any{"operation": "validate", "document": base64.StdEncoding.EncodeToString(data)})
	if err != nil {
		log.Fatal(err)
	}
	var answer struct {
		Result struct{ Valid bool }
	}
	if err := json.Unmarshal(g.Call(request), &answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Result.Valid)
	// Output:
	// true
}
