package parse

import (
	"context"
	"fmt"
	"os"
	"testing"
)

func TestZZAmounts(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(path)
	sheets, _ := readSheets(data, Limits{}.withDefaults())
	d, _ := read(context.Background(), sheets, Limits{}.withDefaults())
	for _, a := range d.amounts {
		fmt.Println(amountText(a.value), a.labels)
	}
	fmt.Println(d.sumsOfTaxes(), d.lineSum(), len(d.lines), d.vatRows())
}
