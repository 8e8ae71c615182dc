package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/service/bulk"
	"einvoice/service/bulk/nats"
	"einvoice/service/bulk/parquet"
	"einvoice/service/bulk/s3"

	"github.com/rogpeppe/go-internal/testscript"
)

// samples are those of the program.
const samples = "../../einvoice/samples"

// machines are those of einvoiced.
var machines = Machines{
	Broker: func(addresses string, replicas int) bulk.Broker {
		return nats.Cluster{URL: addresses, Replicas: replicas}.Open
	},
	Target:  func(name, work string) (bulk.Target, error) { return s3.OpenTarget(name, work) },
	Source:  func(name string, limit int64) (Source, error) { return s3.OpenSource(name, limit) },
	Formats: []bulk.Format{parquet.Format},
}

var update = flag.Bool("update", false, "record the outputs of the scripts and the messages of mistakes anew")

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workCommand { // a process of a command that a test runs
		if os.Getenv(poisoning) != "" {
			doPoisoned()
			os.Exit(0)
		}
		os.Exit(Main(Machines{}))
	}
	if settings := os.Getenv(brokerSettings); settings != "" {
		serveBroker(settings)
	}
	testscript.Main(m, map[string]func(){"einvoice": func() { os.Exit(Main(Machines{})) }, "einvoiced": func() { os.Exit(Main(machines)) }})
}

// The command line as its users meet it: testdata/script has one run of it a
// file, with what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"hybrid": hybridPDF, "status": status},
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
