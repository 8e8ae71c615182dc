package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"time"

	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/service/bulk"

	"github.com/spf13/cobra"
)

// documentsCommand is the command by which bulk, watch and audit judge start processes that do
// documents.
const documentsCommand = "documents"

// mostDocumentMemory is how much memory one document may take before its process is ended.
const mostDocumentMemory = 2 << 30

// shortWork are the operations that hear of their end on small documents of XML. What the others
// draw or read off pages may not.
var shortWork = []string{"validate", "impact", "convert"}

// documentSetup is what a process has to know.
type documentSetup struct {
	Operation string
	Arguments []string // flags of the operation
	Digest    string   // of the operation that the job began with
}

// documentProcesses has documents done in processes that can be ended, those whose work may not
// hear of its end.
type documentProcesses struct {
	*confine.Pool
	operation string
}

// newDocumentProcesses makes those of an operation with the flags of a command. None is started
// before there is a document for it.
func newDocumentProcesses(cmd *cobra.Command, op bulk.Operation) (*documentProcesses, error) {
	return documentProcessesOf(setFlags(cmd), op)
}

// performance is how a command does documents one by one, by the operation and options of its flags.
// What it returns beside that has to be closed.
func (op *bulkOperation) performance(cmd *cobra.Command, o *bulkOptions) (by bulk.Performance, documents *documentProcesses, err error) {
	operation, err := op.make(cmd, o)
	if err != nil {
		return by, nil, err
	}
	if documents, err = newDocumentProcesses(cmd, operation); err != nil {
		return by, nil, err
	}
	return bulk.Performance{Operation: operation, Time: o.time, Elsewhere: documents.Do, Risky: documents.Risky}, documents, nil
}

func documentProcessesOf(flags []string, op bulk.Operation) (*documentProcesses, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the program itself, for processes to work in: %w", err)
	}
	setup, err := json.Marshal(documentSetup{op.Name(), flags, op.Digest()})
	if err != nil {
		return nil, err
	}
	pool := confine.New(confine.Options{
		Command: func() *exec.Cmd { return exec.Command(program, workCommand, documentsCommand) },
		Setup:   func() ([]byte, error) { return setup, nil },
	})
	return &documentProcesses{pool, op.Name()}, nil
}

// Do is a bulk.Elsewhere.
func (p *documentProcesses) Do(ctx context.Context, d *bulk.Document, within time.Duration) ([]byte, bulk.Outcome, error) {
	return bulkwork.Ask(ctx, p.Pool, freely{}, d, within, http.Header{})
}

// Risky reports whether a document is done in a process.
func (p *documentProcesses) Risky(d *bulk.Document) bool {
	return !slices.Contains(shortWork, p.operation) || bulkwork.IsRisky(d.Data)
}

// freely grants what work asks for: there is one user, and the limit is that of its process.
type freely struct{}

func (freely) Take(int64) error        { return nil }
func (freely) Leave(wait func()) error { wait(); return nil }

// doDocuments is a process that does documents, until its owner is gone.
func doDocuments(ctx context.Context, in io.Reader, out io.Writer) error {
	return confine.Serve(in, out, func(data []byte) (confine.Handler, error) {
		var setup documentSetup
		if err := json.Unmarshal(data, &setup); err != nil {
			return nil, fmt.Errorf("read the settings: %w", err)
		}
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(bulkMemory)
		}
		if err := confine.Limit(mostDocumentMemory); err != nil {
			return nil, fmt.Errorf("limit the memory: %w", err)
		}
		op, err := operationOf(ctx, setup.Operation, setup.Arguments)
		if err == nil && op.Digest() != setup.Digest {
			err = errors.New("rules or looks were changed after the program began; start it again")
		}
		return func(ctx context.Context, call *confine.Call, _ confine.Owner) *confine.Reply {
			if err != nil {
				return bulkwork.Fails(err)
			}
			if call.Time > 0 {
				limited, cancel := context.WithTimeout(ctx, call.Time)
				defer cancel()
				ctx = limited
			}
			return bulkwork.Answer(ctx, call, op)
		}, nil
	})
}

// operationOf is the operation that flags describe. Those of other things are left out.
func operationOf(ctx context.Context, name string, arguments []string) (bulk.Operation, error) {
	o, op := &bulkOptions{}, bulkOperationNamed(name)
	cmd := &cobra.Command{Use: name, FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	cmd.SetContext(ctx)
	o.flags(cmd)
	op.jobFlags(cmd)
	if err := cmd.ParseFlags(arguments); err != nil {
		return nil, err
	}
	return op.make(cmd, o)
}
