package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"einvoice/formats/xmlparse"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

func (m Machines) newAuditJudge(of loggedTarget) *cobra.Command {
	op := bulkOperationNamed("validate")
	o := &bulkOptions{}
	cmd := &cobra.Command{
		Use:   "judge TARGET",
		Short: "Validate the documents of a target or archive again, and report which verdicts differ",
		Long: `Judge reads each document that the log of an archive, or of a target of "watch", names, validates
it by the rules that the flags choose, such as those of a day (--at), and compares the verdict and the
findings with its report. It writes nothing. What is not as the log says is named and not validated. The
exit status is 1 if a document gets another verdict or other findings, or is not as the log says.`,
		Example: of.call("judge") + "\n" + of.call("judge") + " --at 2026-12-31",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, documents, err := op.performance(cmd, o)
			if err != nil {
				return err
			}
			defer documents.Close()
			in, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			j := judging{in: in, limit: int64(o.limits.Bytes), by: by, out: cmd.OutOrStdout()}
			standing, err := audit.StandingIn(cmd.Context(), in, "")
			if err != nil {
				return err
			}
			log, err := audit.ReadIn(cmd.Context(), in)
			if err != nil {
				return err
			}
			defer log.Close()
			_, _, err = audit.Events(log, func(line audit.Line, e *audit.Event) error {
				if e.Verdict == watch.Dead || e.Verdict == audit.Removed || !standing.Has(line, e) {
					return nil
				}
				return j.document(cmd.Context(), e, standing.IsElsewhere(line, e))
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(j.out, "%s, %d decided otherwise", numeral.Count(j.documents, "document"), j.others)
			if j.left > 0 {
				fmt.Fprintf(j.out, ", %d left out because they are not as the log says", j.left)
			}
			fmt.Fprintln(j.out)
			if j.others+j.left > 0 {
				return errInvalid
			}
			return nil
		},
	}
	timeFlag(cmd.Flags(), &o.time)
	o.limits = xmlparse.DefaultLimits()
	limitsFlags(cmd.Flags(), &o.limits)
	rulesetsFlag(cmd, &o.rulesets)
	op.flags(cmd)
	cmd.Flags().SetNormalizeFunc(asOf)
	cmd.Flags().Lookup("at").Usage += "; --as-of is the same flag"
	return cmd
}

// judging compares what is decided now with the reports of a target.
type judging struct {
	in                      bulk.Target
	limit                   int64
	by                      bulk.Performance
	out                     io.Writer
	documents, others, left int
}

// leave tells of what is not as the log says.
func (j *judging) leave(name, why string) error {
	j.left++
	_, err := fmt.Fprintf(j.out, "%s: %s, so nothing can be compared\n", quote.Name(name), quote.Visible(why))
	return err
}

// document decides again about the document of an event, which may have been handed in again.
func (j *judging) document(ctx context.Context, e *audit.Event, isElsewhere bool) error {
	report, err := readFrom(j.in.Open(ctx, e.ReportName()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j.leave(e.ReportName(), "it is gone")
	case err != nil:
		return err
	case audit.Sum(report) != e.Report:
		return j.leave(e.ReportName(), "it was changed")
	}
	name := e.Document()
	d := bulk.Document{Key: e.File}
	d.Data, d.Err = j.read(ctx, name)
	switch {
	case errors.Is(d.Err, fs.ErrNotExist) && isElsewhere:
		return nil
	case errors.Is(d.Err, fs.ErrNotExist):
		return j.leave(name, "it is gone")
	case d.Err != nil && !isTooLarge(d.Err):
		if _, isFolder := j.in.(bulk.Folder); !isFolder {
			return d.Err
		}
		return j.leave(name, "it cannot be read: "+d.Err.Error())
	case d.Err == nil && audit.Sum(d.Data) != e.SHA256:
		return j.leave(name, "it was changed")
	}
	line, outcome, _, err := j.by.Do(ctx, d)
	if err != nil {
		return err
	}
	before, err := decisionOf(report)
	if err != nil {
		return fmt.Errorf("%s: %w", e.ReportName(), err)
	}
	after, err := decisionOf(line)
	if err != nil {
		return err
	}
	j.documents++
	gone, come := without(before, after), without(after, before)
	if string(outcome.Verdict) == e.Verdict && len(gone)+len(come) == 0 {
		return nil
	}
	j.others++
	if e.Program != "" {
		name = e.File + " (" + e.SHA256 + ")"
	}
	fmt.Fprintf(j.out, "%s: was %s, is %s", quote.Name(name), e.Verdict, outcome.Verdict)
	for _, part := range []struct {
		word  string
		rules []string
	}{{"new", come}, {"gone", gone}} {
		if len(part.rules) > 0 {
			fmt.Fprintf(j.out, "; %s: %s", part.word, strings.Join(part.rules, ", "))
		}
	}
	fmt.Fprintln(j.out)
	return nil
}

// read reads a document of the target.
func (j *judging) read(ctx context.Context, name string) ([]byte, error) {
	r, err := j.in.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, j.limit+1))
	if err == nil && int64(len(data)) > j.limit {
		err = inputfile.TooLarge(int64(len(data)), j.limit)
	}
	return data, err
}

func isTooLarge(err error) bool {
	p, is := errors.AsType[*problem.Error](err)
	return is && p.Code == xmlparse.CodeLimit
}

// readFrom reads what was opened.
func readFrom(r io.ReadCloser, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// decisionOf are the rules that fire in a report, with their levels, each as often as it does.
func decisionOf(line []byte) (fired []string, err error) {
	var report struct {
		Findings []struct{ Rule, Level string }
	}
	if err := json.Unmarshal(line, &report); err != nil {
		return nil, err
	}
	for _, f := range report.Findings {
		fired = append(fired, f.Rule+" ("+f.Level+")")
	}
	slices.Sort(fired)
	return fired, nil
}

// without is what of a list another one does not have, each as often as it lacks it.
func without(list, other []string) (left []string) {
	count := map[string]int{}
	for _, one := range other {
		count[one]++
	}
	for _, one := range list {
		if count[one]--; count[one] < 0 {
			left = append(left, one)
		}
	}
	return left
}
