package main

import (
	"bytes"
	"os"
	"testing"
)

// The notices in the program are those of the modules that are linked.
func TestNoticesAreCurrent(t *testing.T) {
	have, err := os.ReadFile("../internal/cli/notices.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	var want bytes.Buffer
	if err := write(&want); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Error("cmd/internal/cli/notices.txt is not current; run make notices")
	}
	for _, font := range []string{"SIL OPEN FONT LICENSE", "Bitstream Vera"} {
		if !bytes.Contains(have, []byte(font)) {
			t.Errorf("the notices do not have the licence of the fonts: %s", font)
		}
	}
}
