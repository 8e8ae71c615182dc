package workbench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"einvoice/service/operation"
	"einvoice/service/workbench"
)

func Example() {
	kit, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	desk := workbench.New(kit, workbench.Config{})
	request, err := json.Marshal(map[string]string{"text": string(workbench.Sample)})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := desk.Call(context.Background(), "check", request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.(*workbench.Checked).Verdict)
	// Output:
	// The invoice (EN 16931 in UBL) violates 5 rules.
}
