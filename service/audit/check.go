package audit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"
)

// A Check is what was found of a target.
type Check struct {
	Events, Documents int
	Head              string   // digest of the last line
	Wrong             []string // sentences about what is not as the log says, in its order
}

// A Standing is what a log says that its target has.
type Standing struct {
	events int
	head   string
	files  map[string]standingFile
	last   map[string]int // by the digest of a document, the number of the last line about it
}

// A standingFile is a document or report that is there.
type standingFile struct {
	digest   string
	line     int // that says so last
	isReport bool
	mayMove  bool // it may have been handed in again, and be there under the name of a later line
}

// StandingIn reads the log of a target. A line has to have the digest head; "" for any.
func StandingIn(ctx context.Context, in bulk.Target, head string) (*Standing, error) {
	r, err := ReadIn(ctx, in)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := &Standing{files: map[string]standingFile{}, last: map[string]int{}}
	seen := head == ""
	s.events, s.head, err = Events(r, func(line Line, e *Event) error {
		seen = seen || line.Before == head
		s.see(line.Number, e)
		return nil
	})
	if err == nil && !seen && s.head != head {
		err = &problem.Error{Code: CodeHead, Message: "no line of the log has the digest " + head, Remedy: "lines were taken away from its end, or the digest is of another log: take the log from a copy"}
	}
	return s, err
}

func (s *Standing) see(number int, e *Event) {
	if e.Verdict == Removed {
		was := *e
		was.Verdict = e.Source
		delete(s.files, was.Document())
		delete(s.files, was.ReportName())
		return
	}
	s.files[e.Document()] = standingFile{digest: e.SHA256, line: number, mayMove: e.Program == ""}
	s.files[e.ReportName()] = standingFile{digest: e.Report, line: number, isReport: true}
	s.last[e.SHA256] = number
}

// Has reports whether a line is the last one about its report, which was not removed since.
func (s *Standing) Has(line Line, e *Event) bool { return s.files[e.ReportName()].line == line.Number }

// IsElsewhere reports whether the document of a line may have been handed in again: a later line is
// about the same bytes.
func (s *Standing) IsElsewhere(line Line, e *Event) bool {
	return e.Program == "" && s.last[e.SHA256] > line.Number
}

// looks is how often what is wrong is looked at again, and lookAgain how long before: a process that
// works on the target writes a report before its line, and moves a document after it.
const (
	looks     = 4
	lookAgain = 500 * time.Millisecond
)

// CheckIn compares the documents and reports of a target with its log, in which a line has to have
// the digest head; "" for any. Where a process works on the target meanwhile, what comes after the log
// was read is not compared.
func CheckIn(ctx context.Context, in bulk.Target, head string, folders []string) (c Check, err error) {
	s, err := StandingIn(ctx, in, head)
	if err != nil {
		return c, err
	}
	c.Events, c.Head = s.events, s.head
	names := slices.SortedFunc(maps.Keys(s.files), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.files[a].line, s.files[b].line), cmp.Compare(a, b))
	})
	var wrong []string
	for _, name := range names {
		what, moved, err := s.look(ctx, in, name)
		if err != nil {
			return c, err
		}
		if what != "" {
			wrong = append(wrong, name)
		}
		if !s.files[name].isReport && !moved {
			c.Documents++
		}
	}
	for _, folder := range append([]string{documentsFolder, reportsFolder}, folders...) {
		err := in.Each(ctx, folder, func(name string) error {
			if _, known := s.files[name]; !known {
				wrong = append(wrong, name)
			}
			return nil
		})
		if err != nil {
			return c, err
		}
	}
	c.Wrong, err = stillWrong(ctx, in, s.head, wrong)
	return c, err
}

// stillWrong says of each name what is wrong with it, after it was given the time to become right
// where the log goes on behind the line with the digest head.
func stillWrong(ctx context.Context, in bulk.Target, head string, wrong []string) (told []string, err error) {
	for n := 0; len(wrong) > 0 && n < looks; n++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookAgain):
		}
		s, err := StandingIn(ctx, in, "")
		if err != nil {
			return nil, err
		}
		told = nil
		var still []string
		for _, name := range wrong {
			what, _, err := s.look(ctx, in, name)
			if err != nil {
				return nil, err
			}
			if what != "" {
				still, told = append(still, name), append(told, name+": "+what)
			}
		}
		if s.head == head && len(still) == len(wrong) { // nothing goes on
			break
		}
		head, wrong = s.head, still
	}
	return told, nil
}

// look says what is wrong with a file of a target; "" for nothing. moved is whether a document is
// gone that may have been handed in again.
func (s *Standing) look(ctx context.Context, in bulk.Target, name string) (wrong string, moved bool, err error) {
	want, known := s.files[name]
	sum, _, err := SumOf(in.Open(ctx, name))
	_, isFolder := in.(bulk.Folder)
	isGone := errors.Is(err, fs.ErrNotExist)
	switch {
	case isGone && !known:
		return "", false, nil
	case isGone && want.mayMove && s.last[want.digest] > want.line:
		return "", true, nil
	case isGone:
		return "it is gone", false, nil
	case err != nil && !isFolder: // of all files, and not of this one
		return "", false, err
	case err != nil:
		return "it cannot be read: " + err.Error(), false, nil
	case !known:
		return "the log does not know it", false, nil
	case sum != want.digest:
		return "it was changed", false, nil
	}
	return "", false, nil
}
