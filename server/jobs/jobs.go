// Package jobs has the bulk jobs of a service: some run side by side with fair shares, the others
// wait, and all go on after a restart.
package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"einvoice/model/numeral"
	"einvoice/model/pattern"
	"einvoice/model/problem"
	"einvoice/server/held"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/server/webhook"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

// Jobs are the jobs of a server.
type Jobs struct {
	Settings
	rules   *publishing.Shelf
	hooks   *webhook.Sender // nil where ends are told to nobody
	log     *slog.Logger
	ctx     context.Context // of all jobs
	stop    context.CancelFunc
	shares  *shares
	running sync.WaitGroup

	books sync.Map // by the id of a job, from when it is opened until it runs

	resumed chan struct{} // closes when the jobs of the server before are begun again

	mu   sync.Mutex
	here map[string]*running // the jobs that were begun since the start
	// beginning are the idempotency keys whose requests begin a job now; the channel closes at
	// the end.
	beginning map[string]chan struct{}
}

// running is a job of this process.
type running struct {
	owner  string
	cancel context.CancelFunc
	over   bool // its result stands; what it says of itself may not be written yet
	err    error
	left   bool // nothing of this process writes into its folder any more
}

// heldFolder has a file for each job and for each idempotency key, which a process has hold of while
// it works on the job or begins one.
const heldFolder = "held"

func (b *Jobs) heldFile(name string) string { return filepath.Join(b.Results, heldFolder, name) }

// The states of a job.
const (
	working   = "working" // or waiting for its turn
	complete  = "complete"
	cancelled = "cancelled"
	failed    = "failed"
	stopped   = "stopped" // with the server; it goes on when that starts again
)

// cancelledFile is there for a job that was cancelled, so that it does not go on.
const cancelledFile = "cancelled"

// failedFile has the error of a job. The archive of one is removed because of it, so that what it failed
// with cannot be found out again.
const failedFile = "failed"

// Settings are how jobs are done.
type Settings struct {
	Sources, Results string        // folders
	Jobs             int           // documents at a time, of all jobs together
	AtOnce           int           // jobs that run side by side
	Limit            int64         // bytes of a document
	Reading          string        // settings that decide what is made
	Time             time.Duration // of a document, of which it may outlive one and not two
	// Keep is for how many days the jobs of an owner stay that have ended; 0 for ever. It may be
	// nil.
	Keep func(owner string) (days int)
	// Processes has documents of one job done in processes that can be ended, until end is
	// called; nil where this process does them.
	Processes func(JobCall) (do bulk.Elsewhere, end func())
}

// New has the jobs in a folder of results, by the rules of a shelf. hooks may be nil.
func New(settings Settings, rules *publishing.Shelf, hooks *webhook.Sender, log *slog.Logger) *Jobs {
	b := &Jobs{Settings: settings, rules: rules, hooks: hooks, log: log, shares: newShares(settings.AtOnce, settings.Jobs), here: map[string]*running{}, beginning: map[string]chan struct{}{}}
	b.ctx, b.stop = context.WithCancel(context.Background())
	b.resumed = make(chan struct{})
	close(b.resumed)
	if hooks != nil {
		b.running.Go(func() { hooks.Run(b.ctx) })
	}
	return b
}

var goodID = pattern.Later(`^[a-z2-7]{26}$`)

// Target is the folder of a job.
func (b *Jobs) Target(id string) bulk.Folder { return bulk.Folder(filepath.Join(b.Results, id)) }

// Has reports whether there is a job of an id.
func (b *Jobs) Has(id string) bool {
	if !goodID().MatchString(id) {
		return false
	}
	_, err := os.Stat(filepath.Join(string(b.Target(id)), "job.json"))
	return err == nil
}

// An Asked is what a request asks for, and whose job it is to be.
type Asked struct {
	Owner string // the id of a key, or the owner of a tenant
	Query url.Values
	Only  []string // sources that the owner may ask for; nil for all
	Most  int      // jobs of the owner that may run or wait at a time; 0 for any number
	// Begins is told the id of a job before there is one; may be nil.
	Begins func(id string) error
}

// Submit begins a job, which goes on after the request.
func (b *Jobs) Submit(ctx context.Context, asked Asked) (id string, err error) {
	id = strings.ToLower(rand.Text())
	return id, b.start(ctx, id, asked)
}

func (b *Jobs) start(ctx context.Context, id string, asked Asked) error {
	wishes, err := wishesOf(asked.Query)
	if err != nil {
		return err
	}
	if asked.Most > 0 {
		defer b.alone("jobs of " + asked.Owner)()
	}
	if err := b.hasRoom(ctx, asked); err != nil {
		return err
	}
	release, free, err := held.Try(b.heldFile(id)) // before anybody sees the job
	if err != nil {
		return err
	}
	if !free { // no other job has the id, so the file system has no locks
		return bulk.Busy(ctx, b.Target(id))
	}
	return b.startHeld(ctx, id, asked, wishes, release)
}

// startHeld begins a job that this process has hold of, until the job has ended.
func (b *Jobs) startHeld(ctx context.Context, id string, asked Asked, wishes wishes, release func()) (err error) {
	defer func() {
		if err != nil {
			release()
		}
	}()
	if asked.Begins != nil {
		if err := asked.Begins(id); err != nil {
			return err
		}
	}
	job, source, err := b.open(ctx, id, asked)
	if err == nil {
		err = b.expectEnd(id, asked.Query.Get(parameterWebhook))
	}
	if err == nil {
		b.begin(id, asked.Owner, job, source, wishes, release)
	}
	return err
}

// hasRoom refuses a job where the owner has as many as may run or wait. Those of the server before
// count: it waits until they are begun again.
func (b *Jobs) hasRoom(ctx context.Context, asked Asked) error {
	if asked.Most == 0 {
		return nil
	}
	select {
	case <-b.resumed:
	case <-ctx.Done():
		return ctx.Err()
	}
	if n := b.active(asked.Owner); n >= asked.Most {
		return &refusal.Refusal{Code: refusal.RateLimited, Detail: numeral.Count(n, "job") + " may run or wait at a time, and there are as many. Wait until one has ended.", RetryAfter: 10}
	}
	return nil
}

// askedFor reads what a job was begun with.
func askedFor(call bulk.Call) (asked Asked, err error) {
	if len(call.Arguments) == 0 {
		return asked, errors.New("no server began this job")
	}
	if len(call.Arguments) > 1 { // jobs of older servers have no owner
		asked.Owner = call.Arguments[1]
	}
	asked.Query, err = url.ParseQuery(call.Arguments[0])
	return asked, err
}

// lookAgain is after what time jobs are looked for that another server has left.
const lookAgain = 5 * time.Second

// Resume begins again, beside its caller, what was not complete when the last server stopped, and
// what one that shares the folder, as where one replaces another, leaves later. End waits for it.
func (b *Jobs) Resume() {
	b.sweep() // before a request brings another archive
	b.running.Go(b.removeEachHour)
	b.resumed = make(chan struct{})
	b.running.Go(func() {
		over := map[string]bool{}
		b.resume(b.ctx, over, true)
		close(b.resumed)
		for {
			select {
			case <-time.After(lookAgain):
				b.resume(b.ctx, over, false)
			case <-b.ctx.Done():
				return
			}
		}
	})
}

// resume begins the jobs that nobody works on, but for those that are over. What failed is tried again by a
// server that starts, and not by one that was there.
func (b *Jobs) resume(ctx context.Context, over map[string]bool, starts bool) {
	entries, err := os.ReadDir(b.Results)
	if errors.Is(err, fs.ErrNotExist) {
		return // there was no job yet
	}
	if err != nil {
		b.log.Error("jobs not resumed", "error", err.Error())
		return
	}
	for _, e := range entries {
		id := e.Name()
		if ctx.Err() != nil {
			return // the next server resumes the others
		}
		if over[id] || b.isHere(id) || !b.Has(id) {
			continue
		}
		release, free, err := held.Try(b.heldFile(id))
		if err == nil && !free {
			continue // another server works on it
		}
		if err == nil {
			if over[id] = b.isOver(ctx, id, starts); over[id] {
				b.tellEnd(ctx, id)
				release()
				continue
			}
			err = b.resumeOne(ctx, id, release)
		}
		if err != nil {
			b.log.Error("job not resumed", "job", id, "error", err.Error())
			b.mu.Lock()
			b.here[id] = &running{over: true, left: true, err: err, cancel: func() {}}
			b.mu.Unlock()
			b.tellEnd(ctx, id)
		}
	}
}

// isHere reports whether this process has begun a job.
func (b *Jobs) isHere(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.here[id] != nil
}

// isOver reports whether a job that nobody works on does not go on.
func (b *Jobs) isOver(ctx context.Context, id string, starts bool) bool {
	if _, err := os.Stat(b.cancelledFile(id)); err == nil {
		return true
	}
	if s, err := bulk.Status(ctx, b.Target(id)); err != nil || s.Complete() {
		return true
	}
	return b.whyFailed(id) != nil && !starts
}

// resumeOne begins a job that this process has hold of.
func (b *Jobs) resumeOne(ctx context.Context, id string, release func()) error {
	asked, err := b.askedOf(ctx, id)
	if err == nil && asked.Query.Get("source") == "" && b.upload(id) == "" {
		// An archive is kept until its job has ended, and the job is not complete.
		err = b.failure(id)
	}
	var wishes wishes
	if err == nil {
		wishes, err = wishesOf(asked.Query)
	}
	if err != nil {
		release()
		return err
	}
	return b.startHeld(ctx, id, asked, wishes, release)
}

// askedOf is what a job was begun with.
func (b *Jobs) askedOf(ctx context.Context, id string) (Asked, error) {
	call, err := bulk.About(ctx, b.Target(id))
	if err != nil {
		return Asked{}, err
	}
	return askedFor(call)
}

type openSource interface {
	bulk.Source
	io.Closer
}

// open makes the operation that a query names, and the job, and gives the path of its source.
func (b *Jobs) open(ctx context.Context, id string, asked Asked) (job *bulk.Job, source string, err error) {
	book := b.rules.Current()
	operation, err := b.operation(asked.Query, book)
	if err != nil {
		return nil, "", err
	}
	b.books.Store(id, book)
	name := asked.Query.Get("source")
	if source = b.upload(id); source != "" {
		name = "archive of the request"
	} else if source, err = b.sourcePath(name, asked.Only); err != nil {
		return nil, "", err
	}
	job, err = bulk.Open(ctx, bulk.Order{
		Target: b.Target(id), Source: name, Operation: operation, Batch: bulk.UsualBatch(operation.Name()), Call: bulk.Call{Arguments: []string{asked.Query.Encode(), asked.Owner}},
	})
	return job, source, err
}

// sourcePath is that of a folder or an archive directly below the configured folder.
func (b *Jobs) sourcePath(name string, only []string) (string, error) {
	if name == "" {
		return "", refusal.New(refusal.Query, "The request has no archive and names no source. Send an archive, or name one of the sources that GET /v1/bulk lists with the parameter \"source\".")
	}
	names, err := b.Sources()
	if err != nil {
		return "", err
	}
	if only != nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(only, name) })
	}
	if len(names) == 0 {
		return "", refusal.New(refusal.Query, "There is no source %.60q, and no other one. Send the documents as an archive.", name)
	}
	if !slices.Contains(names, name) {
		return "", refusal.New(refusal.Query, "There is no source %.60q. There are: %s.", name, strings.Join(names[:min(len(names), 50)], ", "))
	}
	return filepath.Join(b.Settings.Sources, name), nil
}

// source opens a folder or an archive.
func (b *Jobs) source(path string, target bulk.Target) (source openSource, err error) {
	defer func() {
		if _, told := errors.AsType[*problem.Error](err); err != nil && !told {
			err = &problem.Error{Code: bulk.CodeSource, Message: fmt.Sprintf("%s cannot be listed: %v", path, err), Remedy: "see that it is there and may be read, and start again", Cause: err}
		}
	}()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		most := int64(bulk.MostUnpacked)
		if filepath.Dir(path) == filepath.Join(b.Results, uploads) {
			most = max(timesUnpacked*info.Size(), evenUnpacked)
		}
		return bulk.OpenArchive(path, target.Work(), b.Limit, most)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &folder{bulk.Files{Folder: path, Work: target.Work()}, root, b.Limit}, nil
}

// A folder is the documents of a folder, named from the folder on, as those of an archive are:
// where it is on the server is of no concern to who asks. Links that lead out of it are not
// followed.
type folder struct {
	bulk.Files
	root  *os.Root
	limit int64
}

// Each is that of bulk.Source.
func (f *folder) Each(ctx context.Context, yield func(bulk.Entry) error) error {
	return f.Files.Each(ctx, func(e bulk.Entry) error {
		name, err := filepath.Rel(f.Folder, e.Key)
		if err != nil {
			return err
		}
		e.Key = filepath.ToSlash(name)
		return yield(e)
	})
}

// Read is that of bulk.Source.
func (f *folder) Read(_ context.Context, e bulk.Entry) ([]byte, int64, error) {
	return inputfile.ReadInside(f.root, filepath.FromSlash(e.Key), f.limit)
}

func (f *folder) Close() error { return f.root.Close() }

// begin runs a job in its turn.
func (b *Jobs) begin(id, owner string, job *bulk.Job, source string, w wishes, release func()) {
	ctx, cancel := context.WithCancel(b.ctx)
	here := &running{owner: owner, cancel: cancel}
	b.mu.Lock()
	b.here[id] = here
	b.mu.Unlock()
	b.running.Go(func() {
		defer func() {
			b.mu.Lock()
			here.left = true
			b.mu.Unlock()
			release()
		}()
		defer cancel()
		defer job.Close()
		_ = os.Remove(b.failedFile(id)) // of another server; it is tried again
		err := b.run(ctx, job, id, owner, source, w)
		b.mu.Lock()
		here.over, here.err = true, err
		b.mu.Unlock()
		defer b.tellEnd(context.WithoutCancel(ctx), id)
		if err != nil {
			if !isStopped(err) {
				b.giveUp(ctx, id, err) // whoever sent the archive has it, and is told the error
			}
			b.log.Warn("job ended", "job", id, "error", err.Error())
			return
		}
		b.forget(id)
		b.log.Info("job complete", "job", id)
	})
}

func (b *Jobs) run(ctx context.Context, job *bulk.Job, id, owner, path string, w wishes) (err error) {
	if !w.deadline.IsZero() {
		whole := ctx
		limited, cancel := context.WithDeadline(whole, w.deadline)
		defer cancel()
		defer func() {
			if err != nil && limited.Err() != nil && whole.Err() == nil {
				err = errDeadline
			}
		}()
		ctx = limited
	}
	share, err := b.shares.join(ctx, owner, w)
	if err != nil {
		return err
	}
	defer share.leave()
	source, err := b.source(path, b.Target(id)) // which may take long, where an archive is unpacked
	if err != nil {
		return err
	}
	do, end := b.processes(id, job)
	defer end()
	return errors.Join(job.Run(ctx, bulk.Running{Source: source, Jobs: b.Settings.Jobs, Time: b.Time, Elsewhere: do, Turns: share}), source.Close())
}

func (b *Jobs) cancelledFile(id string) string {
	return filepath.Join(b.Target(id).Work(), cancelledFile)
}

// note keeps something about a job beside its results.
func (b *Jobs) note(ctx context.Context, id, name string, data []byte) error {
	target := b.Target(id)
	return target.Note(ctx, filepath.Join(filepath.Base(target.Work()), name), data)
}

// isStopped reports whether a job ended because it was told to, here or by another server.
func isStopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, bulk.ErrCancelled)
}

// giveUp removes the archive of a job that failed, and keeps why it did.
func (b *Jobs) giveUp(ctx context.Context, id string, why error) {
	if err := b.note(context.WithoutCancel(ctx), id, failedFile, []byte(why.Error())); err != nil {
		b.log.Warn("why a job failed is not kept", "job", id, "error", err.Error())
	}
	b.forget(id)
}

// failure is what a job failed with before the server was started again.
func (b *Jobs) failure(id string) error {
	if why := b.whyFailed(id); why != nil {
		return why
	}
	return &problem.Error{Code: bulk.CodeArchive, Message: "the job ended with an error before the server was started again, and its archive was removed", Remedy: "send the archive again, as another request"}
}

func (b *Jobs) failedFile(id string) string { return filepath.Join(b.Target(id).Work(), failedFile) }

// whyFailed is what a job failed with that did not go on since; nil where it did not fail.
func (b *Jobs) whyFailed(id string) error {
	text, err := os.ReadFile(b.failedFile(id))
	if err != nil {
		return nil //nolint:nilerr // there is none
	}
	return errors.New(string(text))
}

// Cancel stops a job for good.
func (b *Jobs) Cancel(ctx context.Context, id string) error {
	if s, err := bulk.Status(ctx, b.Target(id)); err != nil || s.Complete() {
		return err
	}
	if err := b.note(ctx, id, cancelledFile, nil); err != nil {
		return err
	}
	b.mu.Lock()
	here := b.here[id]
	works := here != nil && !here.over
	b.mu.Unlock()
	b.forget(id)
	if works {
		here.cancel() // its end is told when it has come
	} else {
		b.tellEnd(ctx, id)
		if held.By(b.heldFile(id)) {
			return bulk.Cancel(ctx, b.Target(id)) // the server that works on it looks for this
		}
	}
	return nil
}

// state is that of a job of which something is left, and the error that it failed with.
func (b *Jobs) state(id string) (string, error) {
	if _, err := os.Stat(b.cancelledFile(id)); err == nil {
		return cancelled, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch here := b.here[id]; {
	case here == nil:
		return b.elsewhere(id)
	case !here.over:
		return working, nil
	case isStopped(here.err), here.left && held.By(b.heldFile(id)):
		return b.elsewhere(id)
	case here.err == nil:
		return failed, nil // complete, as its results will say
	default:
		return failed, errors.New(b.withoutFolders(here.err.Error()))
	}
}

// elsewhere is the state of a job that this process does not work on.
func (b *Jobs) elsewhere(id string) (string, error) {
	if held.By(b.heldFile(id)) {
		return working, nil
	}
	if why := b.whyFailed(id); why != nil {
		return failed, errors.New(b.withoutFolders(why.Error()))
	}
	return stopped, nil
}

// archiveFile is the name under which the archive of a request is kept in the folder uploads.
var archiveFile = pattern.Later(`uploads[/\\][a-z2-7]{26}[.a-z]*`)

// withoutFolders takes the folders of the server out of a text for clients, and the names that it gives to
// archives.
func (b *Jobs) withoutFolders(text string) string {
	for _, folder := range []string{b.Settings.Sources, b.Results} {
		if folder != "" {
			text = strings.ReplaceAll(text, filepath.Clean(folder)+string(filepath.Separator), "")
		}
	}
	return archiveFile().ReplaceAllString(text, "of the request")
}

// Counts are how many jobs run, and how many wait.
func (b *Jobs) Counts() (running, waiting int) { return b.shares.counts() }

// Stop begins no further document.
func (b *Jobs) Stop() { b.stop() }

// End stops all jobs after the documents in hand. Those that are not done when the context
// ends are left: the process ends with them, and the job goes on after the next start.
func (b *Jobs) End(ctx context.Context) {
	if b == nil {
		return
	}
	b.stop()
	ended := make(chan struct{})
	go func() {
		b.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		b.log.Error("documents of jobs were still being worked on")
	}
}
