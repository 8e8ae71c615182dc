package publishing_test

import (
	"reflect"
	"testing"

	"einvoice/service/catalogue"
)

// The rules of every PDF are compiled where one of them is made when rulesets are loaded.
func TestPDFsAreMadeAlike(t *testing.T) {
	names := catalogue.ToCreateInPDF()
	if len(names) < 2 {
		t.Fatalf("PDFs are %q", names)
	}
	for _, name := range names[1:] {
		if !reflect.DeepEqual(catalogue.Named(name).Create, catalogue.Named(names[0]).Create) {
			t.Errorf("%s is made with other profiles than %s: make one of each when rulesets are loaded", name, names[0])
		}
	}
}
