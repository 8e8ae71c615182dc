package bulk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"syscall"
	"time"

	"einvoice/model/pattern"
	"einvoice/model/problem"
)

// The codes of errors.
const (
	CodeOther   = "BULK-OTHER-JOB"   // the target has results of something else
	CodeBusy    = "BULK-BUSY"        // another process works on the target
	CodeNoJob   = "BULK-NO-JOB"      // the target has none
	CodeWriting = "BULK-NOT-WRITTEN" // results cannot be written
	CodeChanged = "BULK-CHANGED"     // a document is not the one of the manifest
	// CodeUnavailable is of a service that documents or results are in.
	CodeUnavailable = "BULK-UNAVAILABLE"
	CodeEmpty       = "BULK-EMPTY"  // the source has no document
	CodeName        = "BULK-NAME"   // a job cannot have this name
	CodeSource      = "BULK-SOURCE" // the source cannot be listed
	CodeBroker      = "BULK-NATS"   // a Broker cannot be used
	CodeFormat      = "BULK-FORMAT" // the program does not have the format of the segments
)

// ErrUnavailable is what errors of a source are that are not about a document: they end the
// run, and are not results.
var ErrUnavailable = errors.New("the source is not available")

// The files of a job.
const (
	jobFile       = "job.json"
	manifestFile  = "manifest.jsonl"
	resultsFolder = "results"
	workFolder    = ".bulk" // what is of no use once the job is done
	cancelFile    = workFolder + "/cancel"
	lockFile      = workFolder + "/lock"
	begunFolder   = workFolder + "/begun/"
)

// A Job is an operation on the documents of one manifest, with its results, in one target.
type Job struct {
	target    Target
	operation Operation
	jobInfo
	format *Format
	recent recentSegments
	turns  Turns // of documents
	reuse  *reuse
	wrote  func(*Counts)
	time   time.Duration // of a document; 0 for no bound
	hands  *hands        // that do documents within this time
	// elsewhere does documents in place of the operation; nil for none.
	elsewhere Elsewhere
	risky     func(*Document) bool // those that elsewhere does; nil for all
	usual     atomic.Int64         // bytes of results of a batch, about
}

// jobInfo is what jobFile holds.
type jobInfo struct {
	Operation string `json:"operation"`
	Digest    string `json:"digest"`
	Source    string `json:"source"`
	Format    string `json:"format"`
	// ID tells the stream of the job from those of others.
	ID string `json:"id"`
	// Batch is how many documents a batch has at most.
	Batch int `json:"batch"`
	// Together is set where the documents are compared with each other at the end.
	Together bool `json:"together,omitempty"`
	// Details is what a later job needs that compares its rules with these.
	Details json.RawMessage `json:"details,omitempty"`
	// Call is how the program was called, for whoever goes on.
	Call Call `json:"call"`
	// Manifest is set once all of it is written.
	Manifest *manifestInfo `json:"manifest,omitempty"`
}

// A Call is how a program was called.
type Call struct {
	Folder    string   `json:"folder"` // that relative paths are below
	Arguments []string `json:"arguments"`
}

// An Order is what a job is to be.
type Order struct {
	Target    Target
	Source    string // as it was named
	Operation Operation
	Format    string   // of the segments; JSON Lines without it
	Formats   []Format // that the program has besides
	Name      string   // of the stream, after EINVOICE_BULK_: letters, digits, - and _; a random one without it
	Batch     int      // documents done at a time by one worker; 256 without it, which is the most
	Call      Call
	// Reuse is an earlier job whose results are taken where they must be the same; nil for
	// none.
	Reuse Target
}

// Open opens the job of a target, or makes one where there is none. Results of another
// operation, of other rules or of another source are refused: they would be mixed.
func Open(ctx context.Context, o Order) (*Job, error) {
	if o.Format == "" {
		o.Format = JSONLines
	}
	format, err := formatNamed(o.Format, o.Formats)
	if err != nil {
		return nil, err
	}
	j := &Job{target: o.Target, operation: o.Operation, format: format, turns: NewTurns()}
	info, err := readJob(ctx, o.Target)
	different := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		empty, err := isEmpty(ctx, o.Target)
		if err != nil {
			return nil, err
		}
		if !empty {
			return nil, &problem.Error{Code: CodeOther, Message: o.Target.String() + " is not empty, and has no job", Remedy: "begin a new job, with another place for its results"}
		}
		info, err = o.begin(ctx)
		if err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		different = o.differs(&info)
	}
	if different != "" {
		if info, err = o.replace(ctx, &info, different); err != nil {
			return nil, err
		}
	}
	j.jobInfo = info
	if o.Reuse == nil {
		return j, nil
	}
	j.reuse, err = openReuse(ctx, &o)
	return j, err
}

// differs says in what a job is not the one of the order; empty if it is.
func (o *Order) differs(info *jobInfo) string {
	switch {
	case info.Operation != o.Operation.Name():
		return "are of " + info.Operation
	case info.Source != o.Source:
		return "are about " + info.Source
	case info.Format != o.Format:
		return "are written as " + info.Format
	case info.Digest != o.Operation.Digest():
		return "are of other rules, other options or another version of the program"
	}
	return ""
}

// begin writes a new job.
func (o *Order) begin(ctx context.Context) (jobInfo, error) {
	info, err := o.info()
	if err == nil {
		err = writeJob(ctx, o.Target, info)
	}
	return info, err
}

// replace puts the job of the order in place of another that never had a result, as when its
// source was misspelt.
func (o *Order) replace(ctx context.Context, info *jobInfo, different string) (jobInfo, error) {
	if info.Manifest != nil {
		return jobInfo{}, otherJob(o.Target, different)
	}
	ctx, unlock, err := o.Target.Lock(ctx)
	if err != nil {
		return jobInfo{}, err
	}
	defer unlock()
	done, err := (&finished{target: o.Target, jobInfo: *info}).done(ctx)
	if err != nil {
		return jobInfo{}, err
	}
	if done.len() > 0 {
		return jobInfo{}, otherJob(o.Target, different)
	}
	return o.begin(ctx)
}

// info is what is written of a new job.
func (o *Order) info() (info jobInfo, err error) {
	info = jobInfo{
		Operation: o.Operation.Name(), Digest: o.Operation.Digest(), Source: o.Source, Format: o.Format, ID: rand.Text(),
		Batch: o.Batch, Call: o.Call,
	}
	if o.Name != "" {
		if !IsJobName(o.Name) {
			return info, &problem.Error{Code: CodeName, Message: "a job cannot be named " + o.Name, Remedy: "use 1 to 40 letters, digits, - and _"}
		}
		info.ID = o.Name
	}
	if info.Batch < 1 || info.Batch > batchDocuments {
		info.Batch = batchDocuments
	}
	info.Together = comparesTogether(o.Operation)
	if c, compares := o.Operation.(Comparer); compares {
		info.Details, err = c.Details()
	}
	return info, err
}

// IsJobName reports whether a job may have a name.
func IsJobName(name string) bool { return jobName().MatchString(name) }

var jobName = pattern.Later(`^[A-Za-z0-9_-]{1,40}$`)

// Close gives back what an open job holds.
func (j *Job) Close() {
	if j.reuse != nil {
		j.reuse.table.close()
	}
}

// Says is what the job says of the results that it takes from an earlier one; empty if it
// takes none.
func (j *Job) Says() string {
	if j.reuse == nil {
		return ""
	}
	return j.reuse.said
}

// readJob reads what a target is about.
func readJob(ctx context.Context, t Target) (info jobInfo, err error) {
	data, err := readFile(ctx, t, jobFile)
	if errors.Is(err, syscall.ENOTDIR) {
		return info, &problem.Error{Code: CodeNoJob, Message: t.String() + " is not a folder", Remedy: "name a folder for the results", Cause: err}
	}
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil {
		return info, fmt.Errorf("%s of %s: %w", jobFile, t, err)
	}
	return info, nil
}

func writeJob(ctx context.Context, t Target, info jobInfo) error {
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	return t.Write(ctx, File{jobFile, append(data, '\n')})
}

// About is how the program was called that began the job of a target. The error is a
// *problem.Error where there is no job.
func About(ctx context.Context, t Target) (Call, error) {
	info, err := existing(ctx, t)
	return info.Call, err
}

// existing is readJob with a better error.
func existing(ctx context.Context, t Target) (jobInfo, error) {
	info, err := readJob(ctx, t)
	if errors.Is(err, fs.ErrNotExist) {
		err = &problem.Error{Code: CodeNoJob, Message: "there is no job in " + t.String(), Remedy: "name the place that --out named"}
	}
	return info, err
}

// Cancel asks whoever works on a target to stop, as Run does at the end of its context.
func Cancel(ctx context.Context, t Target) error {
	if _, err := existing(ctx, t); err != nil {
		return err
	}
	return t.Note(ctx, cancelFile, nil)
}

func notWritten(err error) error {
	if _, known := errors.AsType[*problem.Error](err); known {
		return err
	}
	return &problem.Error{Code: CodeWriting, Message: "the results cannot be written: " + err.Error(), Remedy: "see that there is room and that the results may be written, then start again; what is done stays", Cause: err}
}

func otherJob(t Target, different string) error {
	said := "the results in " + t.String() + " " + different
	return &problem.Error{Code: CodeOther, Message: said, Remedy: "begin a new job, with another place for its results"}
}
