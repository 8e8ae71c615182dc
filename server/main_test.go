package server_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"einvoice/server"
)

// TestMain asks, after a whole run, that every errorCode of the registry was
// brought about by some test.
func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == ""
	if status == 0 && whole && !testing.Short() {
		for _, c := range server.ErrorCodes {
			if !seenCodes[c.Code] {
				fmt.Printf("no test brings about %s\n", c.Code)
				status = 1
			}
		}
	}
	os.Exit(status)
}
