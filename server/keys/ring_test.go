package keys_test

import (
	"os"
	"path/filepath"
	"testing"

	"einvoice/server/keys"
)

// TestRingBack takes the key file away and brings it back as it was: the fault ends.
func TestRingBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	secret, _, err := keys.Add(path, "first", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ring := keys.NewRing(path, 0, 0)
	if _, err := ring.Refresh(false); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	for _, told := range []bool{true, false} {
		if isNew, err := ring.Refresh(false); err == nil || isNew != told || ring.Fault() == nil {
			t.Fatalf("without its file: new %v, error %v, fault %v", isNew, err, ring.Fault())
		}
	}
	if _, _, ok := ring.Verify(secret); !ok {
		t.Error("the key in force does not stay")
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if isNew, err := ring.Refresh(false); err != nil || !isNew || ring.Fault() != nil {
		t.Errorf("with its file again: new %v, error %v, fault %v", isNew, err, ring.Fault())
	}
	if isNew, err := ring.Refresh(false); err != nil || isNew {
		t.Errorf("nothing changed: new %v, error %v", isNew, err)
	}
}
