package cli

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"einvoice/model/strictyaml"
)

// A start that validates one document parses no YAML and compiles no regular expression of
// ours but those of rules that it decides: what it needs was prepared by the build. The start is this test in a process
// of its own, which notes the stack of every allocation from its first one on.
func TestStartParsesNothing(t *testing.T) {
	if !isPacked {
		t.Skip("skipped: a program without the tag packed has nothing prepared")
	}
	if os.Getenv("EINVOICE_TEST_START") == "" {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		start := exec.Command(program, "-test.run", "^TestStartParsesNothing$")
		start.Env = append(os.Environ(), "EINVOICE_TEST_START=1", "GODEBUG=memprofilerate=1", "GOGC=off")
		if out, err := start.CombinedOutput(); err != nil || !strings.Contains(string(out), "VALID") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if status := (Machines{}).run([]string{"validate", "../../einvoice/samples/ubl-valid.xml"}, os.Stdin, os.Stdout, os.Stderr); status != exitValid {
		t.Fatalf("the status is %d", status)
	}
	runtime.GC() // what was allocated before it is in the profile
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1<<17)
	n, complete := runtime.MemProfile(records, true)
	if !complete || n < 1000 {
		t.Fatalf("the profile has %d records", n)
	}
	told := map[string]bool{}
	for _, r := range records[:n] {
		if work, by := preparable(r.Stack()); work != "" && !told[by] {
			told[by] = true
			t.Errorf("the start calls %s in %s", work, by)
		}
	}
}

// preparable is what a stack does that a build could have done, and the function of ours that
// calls it; "" for nothing.
func preparable(stack []uintptr) (work, by string) {
	frames := runtime.CallersFrames(stack)
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "regexp.compile" || strings.HasSuffix(f.Function, "yaml%2ev3.(*parser).parse"):
			work = f.Function
		case work != "" && strings.HasPrefix(f.Function, "einvoice/") && !strings.Contains(f.Function, "/strictyaml.") && !strings.Contains(f.Function, "/pattern."):
			if strings.HasSuffix(f.File, "_test.go") || strings.HasPrefix(f.Function, "einvoice/engine/expr.") {
				return "", ""
			}
			return work, f.Function
		}
		if !more {
			return "", ""
		}
	}
}

// The file is stored as its nodes, which do not tell unknown keys.
func TestMustangWords(t *testing.T) {
	if err := strictyaml.Decode(mustangYAML, &mustangWords{}); err != nil {
		t.Error(err)
	}
}
