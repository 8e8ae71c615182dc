package audit

import (
	"context"
	"errors"
	"io/fs"

	"einvoice/model/problem"
	"einvoice/service/bulk"
)

// A Check is what was found of a target.
type Check struct {
	Events, Documents int
	Head              string   // digest of the last line
	Wrong             []string // sentences about what is not as the log says
}

// CheckIn compares the documents and reports of a target with its log, in which a line has to have
// the digest head; "" for any.
func CheckIn(ctx context.Context, in bulk.Target, head string, folders []string) (c Check, err error) {
	r, err := ReadIn(ctx, in)
	if err != nil {
		return c, err
	}
	defer r.Close()
	there, again, seen := map[string]Event{}, map[string]int{}, head == ""
	c.Events, c.Head, err = Events(r, func(line Line, e *Event) error {
		seen = seen || line.Before == head
		if e.Verdict == Removed {
			e.Verdict = e.Source
			delete(there, e.ReportName())
			return nil
		}
		there[e.ReportName()] = *e
		again[e.SHA256]++
		return nil
	})
	if err != nil {
		return c, err
	}
	if !seen && c.Head != head {
		return c, &problem.Error{Code: CodeHead, Message: "no line of the log has the digest " + head, Remedy: "lines were taken away from its end, or the digest is of another log: take the log from a copy"}
	}
	known := map[string]bool{}
	for report, e := range there {
		path := e.Document()
		if !known[path] {
			c.Documents++
		}
		for name, digest := range map[string]string{path: e.SHA256, report: e.Report} {
			if known[name] {
				continue
			}
			known[name] = true
			switch sum, _, err := SumOf(in.Open(ctx, name)); {
			case errors.Is(err, fs.ErrNotExist) && name == path && again[e.SHA256] > 1 && e.Program == "": // it was tried again
				c.Documents--
			case errors.Is(err, fs.ErrNotExist):
				c.Wrong = append(c.Wrong, name+": it is gone")
			case err != nil:
				return c, err
			case sum != digest:
				c.Wrong = append(c.Wrong, name+": it was changed")
			}
		}
	}
	for _, folder := range append([]string{documentsFolder, reportsFolder}, folders...) {
		err := in.Each(ctx, folder, func(name string) error {
			if !known[name] {
				c.Wrong = append(c.Wrong, name+": the log does not know it")
			}
			return nil
		})
		if err != nil {
			return c, err
		}
	}
	return c, nil
}
