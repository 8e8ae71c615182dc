package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "record the outputs of the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"einvoice": main})
}

// The command line as its users meet it: testdata/script holds one session a
// file, with what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			dir, err := os.Getwd()
			env.Setenv("SAMPLES", dir+"/samples")
			env.Setenv("RULES", dir+"/../../rulesets")
			return err
		},
	})
}
