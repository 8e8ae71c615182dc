package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"einvoice/model/problem"
	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

func (m Machines) newAudit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Verify the log of watch, and validate its documents again",
		Long: `Audit verifies log.jsonl of a target of "watch". Each line has the SHA-256 of the line before,
and of a document and its report. "judge" validates the documents again, by the rules of any day.`,
	}
	cmd.AddCommand(m.newAuditVerify(), m.newAuditJudge())
	return cmd
}

func (m Machines) newAuditVerify() *cobra.Command {
	head := ""
	cmd := &cobra.Command{
		Use:   "verify TARGET",
		Short: "Verify that a log, its documents and their reports are as they were written",
		Long: `Verify reads the log and every document and report that it names. If anything was changed,
removed or added in between, it says so, and the exit status is 1. A removal at the end of the log shows
only by the digest of its last line, which verify prints: keep it elsewhere, and pass it with --head the
next time.`,
		Example: `  einvoice audit verify outbox
  einvoice audit verify outbox --head 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			f, err := watch.LogOf(cmd.Context(), in)
			if err != nil {
				return err
			}
			defer f.Close()
			v := verifying{in: in, there: map[string]watch.Event{}, again: map[string]int{}, head: head, seen: head == ""}
			n, digest, err := audit.Verify(f, v.line)
			if err != nil {
				return err
			}
			if !v.seen && digest != head {
				return &problem.Error{Code: audit.CodeHead, Message: "no line of the log has the digest " + head, Remedy: "lines were taken away from its end, or the digest is of another log: take the log from a copy"}
			}
			wrong, err := v.files(cmd.Context())
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			for _, text := range wrong {
				fmt.Fprintln(out, text)
			}
			fmt.Fprintf(out, "%d lines, %d documents, %d not as the log says; the last line is %s\n", n, len(v.there), len(wrong), digest)
			if len(wrong) > 0 {
				return errInvalid
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&head, "head", "", "`digest` of a line that the log has to have, as an earlier verify printed it")
	return cmd
}

// verifying is what a log says is there.
type verifying struct {
	in    bulk.Target
	there map[string]watch.Event // by the name of the document in the target
	again map[string]int         // how many results there are of documents by digest
	head  string
	seen  bool
}

func (v *verifying) line(line audit.Line) error {
	v.seen = v.seen || line.Before == v.head
	var e watch.Event
	if err := json.Unmarshal(line.Event, &e); err != nil {
		return err
	}
	if e.Verdict == watch.Removed {
		e.Verdict = e.Source
		delete(v.there, e.Document())
		return nil
	}
	v.there[e.Document()] = e
	v.again[e.SHA256]++
	return nil
}

// files compares the documents and reports with the log, and says what is not as it was.
func (v *verifying) files(ctx context.Context) (wrong []string, err error) {
	known := map[string]bool{}
	for path, e := range v.there {
		for name, digest := range map[string]string{path: e.SHA256, e.ReportName(): e.Report} {
			known[name] = true
			switch sum, _, err := watch.SumOf(v.in.Open(ctx, name)); {
			case errors.Is(err, fs.ErrNotExist) && name == path && v.again[e.SHA256] > 1: // it was handed in again
			case errors.Is(err, fs.ErrNotExist):
				wrong = append(wrong, name+": it is gone")
			case err != nil:
				return nil, err
			case sum != digest:
				wrong = append(wrong, name+": it was changed")
			}
		}
	}
	for _, place := range watch.Places {
		err := v.in.Each(ctx, place+"/", func(name string) error {
			if !known[name] {
				wrong = append(wrong, name+": the log does not know it")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return wrong, nil
}
