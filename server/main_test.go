package server_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"einvoice/server"
	"einvoice/server/confine"
	"einvoice/server/refusal"
)

// inProcess is the variable that makes the test program a process of a server.
const inProcess = "SERVER_TEST_PROCESS"

// process is the command of one.
func process() *exec.Cmd { return processThat("works") }

// processThat is one that works, or hangs whatever it is told.
func processThat(does string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), inProcess+"="+does)
	return cmd
}

// processThatIsDeaf is one that waits, whatever it is told.
func processThatIsDeaf() *exec.Cmd { return processThat("is deaf") }

// hangs is work that nothing stops.
func hangs() {
	for i := 0; ; i++ {
		if i < 0 {
			fmt.Println(i)
		}
	}
}

// The words of documents on which a process that was poisoned hangs, and ends.
const (
	poisonHangs = "POISON-HANGS"
	poisonEnds  = "POISON-ENDS"
)

// poisoned works, but for documents that are poison.
func poisoned(setup []byte) (confine.Handler, error) {
	work, err := server.Prepare(os.Stderr)(setup)
	return func(ctx context.Context, call *confine.Call, owner confine.Owner) *confine.Reply {
		switch {
		case bytes.Contains(call.Body, []byte(poisonHangs)):
			select {}
		case bytes.Contains(call.Body, []byte(poisonEnds)):
			os.Exit(3)
		}
		return work(ctx, call, owner)
	}, err
}

// confineAll has all servers of the tests do work in other processes where they may.
var confineAll = flag.Bool("confine", false, "have all servers do risky work in other processes")

// TestMain asks, after a whole run, that every errorCode of the registry was
// brought about by some test.
func TestMain(m *testing.M) {
	switch os.Getenv(inProcess) {
	case "":
	case "hangs":
		_ = confine.Serve(os.Stdin, os.Stdout, func([]byte) (confine.Handler, error) {
			return func(context.Context, *confine.Call, confine.Owner) *confine.Reply { hangs(); return nil }, nil
		})
		return
	case "is deaf":
		_ = confine.Serve(os.Stdin, os.Stdout, func([]byte) (confine.Handler, error) {
			return func(context.Context, *confine.Call, confine.Owner) *confine.Reply { select {} }, nil
		})
		return
	case "poisoned":
		if err := confine.Serve(os.Stdin, os.Stdout, poisoned); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	default:
		if err := server.Work(os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	status := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == ""
	if status == 0 && whole && !testing.Short() {
		for _, c := range refusal.Codes {
			if !seenCodes[c.Code] {
				fmt.Printf("no test brings about %s\n", c.Code)
				status = 1
			}
		}
	}
	os.Exit(status)
}
