package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"einvoice/model/sampled"
	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/service/bulk"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

// poisoning is the variable that has processes of commands hang, and end, on documents that are
// poison.
const poisoning = "CLI_TEST_POISON"

// The words of documents on which such a process hangs, and ends.
const (
	poisonHangs = "%PDF-POISON-HANGS"
	poisonEnds  = "%PDF-POISON-ENDS"
)

// doPoisoned is a process that hangs or ends, and answers nothing else.
func doPoisoned() {
	_ = confine.Serve(os.Stdin, os.Stdout, func([]byte) (confine.Handler, error) {
		return func(_ context.Context, call *confine.Call, _ confine.Owner) *confine.Reply {
			switch {
			case bytes.Contains(call.Body, []byte(poisonHangs)):
				select {}
			case bytes.Contains(call.Body, []byte(poisonEnds)):
				os.Exit(3)
			}
			return bulkwork.Fails(errors.New("it is no poison"))
		}, nil
	})
}

// On the command line as in the service, what a document does to the process that works on it
// ends that process alone: whatever the command is, the others are done, and the document has a
// result that says why.
func TestPoisonOnTheCommandLine(t *testing.T) {
	t.Setenv(poisoning, "1")
	valid, err := os.ReadFile(filepath.Join(samples, "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	documents := func() string {
		dir := t.TempDir()
		for name, data := range map[string]string{"a.xml": string(valid), "hangs.pdf": poisonHangs, "ends.pdf": poisonEnds, "z.xml": string(valid)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	run := func(args ...string) string {
		t.Helper()
		root := newRoot(Machines{})
		var out, messages bytes.Buffer
		root.SetArgs(args)
		root.SetOut(&out)
		root.SetErr(&messages)
		if err := root.ExecuteContext(t.Context()); err != nil && !errors.Is(err, errReported) && !errors.Is(err, errInvalid) {
			t.Fatalf("%v: %v\n%s", args, err, messages.String())
		}
		return out.String() + messages.String()
	}
	for i, name := range bulk.Operations() {
		if !sampled.Takes(i, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			target := filepath.Join(t.TempDir(), "out")
			in := documents()
			if !slices.Contains(shortWork, name) { // then all of them are poison
				_ = os.Remove(filepath.Join(in, "a.xml"))
				_ = os.Remove(filepath.Join(in, "z.xml"))
			}
			args := []string{"bulk", "run", name, "--in", in, "--out", target, "--time", "100ms", "--jobs", "1"}
			if of := operation.Named(name); of != nil && of.Usual == "" {
				args = append(args, "--to", of.To()[0])
			} else if name == "impact" {
				args = append(args, "--old", "en16931", "--new", "xrechnung")
			}
			said := run(args...)
			if !strings.Contains(said, "longer than 100ms, 2 times") {
				t.Errorf("what hangs is not given up: %s", said)
			}
			results := run("bulk", "results", target)
			if n := strings.Count(results, "the program failed on this document"); n != 1 {
				t.Errorf("%d results tell of a process that ended: %s", n, results)
			}
		})
	}
	t.Run("watch", func(t *testing.T) {
		target := t.TempDir()
		run("watch", "--in", documents(), "--out", target, "--time", "100ms", "--settle", "0", "--once")
		for _, path := range []string{"valid/a.xml", "valid/z.xml", "dead/hangs.pdf", "unreadable/ends.pdf"} {
			if _, err := os.Stat(filepath.Join(target, path)); err != nil {
				t.Error(err)
			}
		}
	})
}

// What is done in a process has the result that it has here.
func TestDocumentsInProcesses(t *testing.T) {
	op := bulkOperationNamed("validate")
	args := []string{"--as=xrechnung-3.0", "--language=de", "--in=x", "--once=true"}
	here, err := operationOf(t.Context(), op.name, args)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := documentProcessesOf(args, here)
	if err != nil {
		t.Fatal(err)
	}
	defer documents.Close()
	for _, name := range []string{"ubl-valid.xml", "cii-faulty.xml"} {
		data, err := os.ReadFile(filepath.Join(samples, name))
		if err != nil {
			t.Fatal(err)
		}
		d := bulk.Placed("a\n"+name, data, 1, 2)
		want, outcome, err := here.Do(t.Context(), nil, d)
		if err != nil {
			t.Fatal(err)
		}
		got, other, err := documents.Do(t.Context(), d, 0)
		outcome.Took, other.Took = 0, 0
		if err != nil || !bytes.Equal(got, want) || !reflect.DeepEqual(outcome, other) {
			t.Errorf("%s: %v\n%s %+v\nin a process, and here\n%s %+v", name, err, got, other, want, outcome)
		}
	}
	other, err := documentProcessesOf([]string{"--as=peppol"}, here)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, _, err := other.Do(t.Context(), bulk.Placed("a", nil, 0, 0), 0); err == nil {
		t.Error("a process with other rules does documents")
	}
}

// --batch compares the documents of a job. Commands that have no job do not take it: they would
// do nothing with it.
func TestBatchIsOfJobs(t *testing.T) {
	for _, cmd := range []*cobra.Command{Machines{}.newWatch(), Machines{}.newArchiveAdd(), Machines{}.newAuditJudge(ofWatch)} {
		if cmd.Flags().Lookup("batch") != nil {
			t.Errorf("%s takes --batch", cmd.Name())
		}
	}
	if (Machines{}).newBulkOperation(bulkOperationNamed("validate")).Flags().Lookup("batch") == nil {
		t.Error("bulk run validate does not take --batch")
	}
}
