package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
)

// Data that a folder brings for a table which is declared below it is read by the check, as data
// with its declaration is.
func TestDataWithoutItsDeclaration(t *testing.T) {
	declared := "table: limits\ntitle: Limits\nowner: Us\nkey: k\ncolumns: {k: text, limit: decimal, day: date, on: boolean, n: integer}\n"
	below := fstest.MapFS{"tables/limits.yaml": {Data: []byte(declared)}, "tables/limits.csv": {Data: []byte("k,limit,day,on,n\nA,1,2026-01-01,true,1\n")}}
	for data, mistake := range map[string]string{
		"k,limit,day,on,n\nA,1,2026-01-01,true,1\n":                        "",
		"k,limit,day,on,n\nA,x,2026-01-01,true,1\n":                        "not of type decimal",
		"k,limit,day,on,n\nA,1,2026-13-01,true,1\n":                        "not of type date",
		"k,limit,day,on,n\nA,1,2026-01-01,yes,1\n":                         "not of type boolean",
		"k,limit,day,on,n\nA,1,2026-01-01,true,1.5\n":                      "not of type integer",
		"k,limit,day,on,n\nA,1,2026-01-01,true,1\nA,2,2026-01-01,true,1\n": "two rows have the key",
		"k,limit,day,on\nA,1,2026-01-01,true\n":                            "n",
		"k;limit;day;on;n\nA;1;2026-01-01;true;1\n":                        "one cell",
		"": "empty",
	} {
		library, err := engine.Open(engine.Layered(fstest.MapFS{"tables/limits.csv": {Data: []byte(data)}}, below))
		if err != nil {
			t.Fatal(err)
		}
		failures := library.CheckTables()
		if mistake == "" != (len(failures) == 0) || mistake != "" && (failures[0].File != "tables/limits.csv" || !strings.Contains(failures[0].Message, mistake)) {
			t.Errorf("%q: %v, want %q", data, failures, mistake)
		}
	}
}
