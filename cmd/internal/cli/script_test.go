package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"

	"github.com/rogpeppe/go-internal/testscript"
)

// samples are those of the program.
const samples = "../../einvoice/samples"

var update = flag.Bool("update", false, "record the outputs of the scripts and the messages of mistakes anew")

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workCommand { // a process of a command that a test runs
		if os.Getenv(poisoning) != "" {
			doPoisoned()
			os.Exit(0)
		}
		os.Exit(Main(Machines{}))
	}
	programs := map[string]func(){"einvoice": func() { os.Exit(Main(Machines{})) }}
	if overMachines != nil {
		overMachines(programs)
	}
	testscript.Main(m, programs)
}

// overMachines adds the program einvoiced, in tests that have the tag machines. A process that is to be a
// server of NATS is that, and does not return.
var overMachines func(programs map[string]func())

// The command line as its users meet it: testdata/script has one run of it a
// file, with what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Condition: func(cond string) (bool, error) {
			if cond != "machines" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return overMachines != nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"hybrid": hybridPDF, "status": status},
		Setup: func(env *testscript.Env) error {
			dir, err := os.Getwd()
			env.Setenv("SAMPLES", filepath.Join(dir, samples))
			env.Setenv("RULES", filepath.Join(dir, "../../../rulesets"))
			shareCache(env)
			return err
		},
	})
}

// shareCache has the programs of a script find the compiled PDFium that all others use: a script has no
// home.
func shareCache(env *testscript.Env) {
	if cache, err := os.UserCacheDir(); err == nil {
		env.Setenv("XDG_CACHE_HOME", cache)
	}
}

// status runs a program that has to end with a status: status N PROGRAM ARGUMENT...
func status(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("the status is %d, not %s", got, args[0])
	}
}

// hybrid makes a PDF with files attached: hybridPDF OUT NAME=FILE...
func hybridPDF(ts *testscript.TestScript, _ bool, args []string) {
	var files []pdftest.File
	for _, arg := range args[1:] {
		name, file, _ := strings.Cut(arg, "=")
		files = append(files, pdftest.File{Name: name, Data: []byte(ts.ReadFile(file))})
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pdftest.Hybrid(files...), 0o600))
}
