package look

import "testing"

func TestLooksAreCalledAsTheirFiles(t *testing.T) {
	for _, name := range Names() {
		if l := builtInLooks()[name]; l == nil || l.Name != name {
			t.Errorf("looks/%s.yaml: got %+v, want a look of that name", name, l)
		}
	}
}
