package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"einvoice/service/bulk"
)

// bulkJobs are the jobs of a server. One runs at a time; the others wait.
type bulkJobs struct {
	sources, results string // folders
	jobs             int    // documents at a time
	limit            int64  // bytes of a document
	reading          string // settings that decide what is made
	reloader         *reloader
	log              *slog.Logger
	ctx              context.Context // of all jobs
	stop             context.CancelFunc
	turn             chan struct{}
	running          sync.WaitGroup

	mu   sync.Mutex
	here map[string]*bulkHere // the jobs that were begun since the start
}

// bulkHere is a job of this process.
type bulkHere struct {
	cancel context.CancelFunc
	over   bool
	err    error
}

// The states of a job.
const (
	bulkWorking   = "working" // or waiting for its turn
	bulkComplete  = "complete"
	bulkCancelled = "cancelled"
	bulkFailed    = "failed"
	bulkStopped   = "stopped" // with the server; it goes on when that starts again
)

// bulkCancelledFile is there for a job that was cancelled, so that it does not go on.
const bulkCancelledFile = "cancelled"

func newBulkJobs(c *Config, r *reloader, log *slog.Logger) *bulkJobs {
	if c.BulkSources == "" {
		return nil
	}
	b := &bulkJobs{
		sources: c.BulkSources, results: c.BulkResults, jobs: c.BulkJobs, limit: c.MaxBody, reloader: r, log: log,
		reading: fmt.Sprint(c.OCR, c.OCRLanguages, c.ParsePages, c.ParsePixels),
		turn:    make(chan struct{}, 1), here: map[string]*bulkHere{},
	}
	b.ctx, b.stop = context.WithCancel(context.Background())
	return b
}

var bulkID = regexp.MustCompile(`^[a-z2-7]{26}$`)

func (b *bulkJobs) target(id string) bulk.Folder { return bulk.Folder(filepath.Join(b.results, id)) }

func (b *bulkJobs) has(id string) bool {
	if !bulkID.MatchString(id) {
		return false
	}
	_, err := os.Stat(filepath.Join(string(b.target(id)), "job.json"))
	return err == nil
}

// submit begins a job, which goes on after the request.
func (b *bulkJobs) submit(ctx context.Context, query url.Values) (id string, err error) {
	id = strings.ToLower(rand.Text())
	job, source, err := b.open(ctx, id, query)
	if err != nil {
		return "", err
	}
	b.begin(id, job, source)
	return id, nil
}

// resume begins again what was not complete when the last server stopped.
func (b *bulkJobs) resume(ctx context.Context) {
	entries, err := os.ReadDir(b.results)
	if err != nil {
		b.log.Error("jobs not resumed", "error", err.Error())
		return
	}
	for _, e := range entries {
		id := e.Name()
		if !b.has(id) {
			continue
		}
		if _, err := os.Stat(b.cancelledFile(id)); err == nil {
			continue
		}
		if s, err := bulk.Status(ctx, b.target(id)); err != nil || s.Complete() {
			continue
		}
		call, err := bulk.About(ctx, b.target(id))
		if err == nil && len(call.Arguments) == 1 {
			var query url.Values
			if query, err = url.ParseQuery(call.Arguments[0]); err == nil {
				var job *bulk.Job
				var source string
				if job, source, err = b.open(ctx, id, query); err == nil {
					b.begin(id, job, source)
				}
			}
		}
		if err != nil {
			b.log.Error("job not resumed", "job", id, "error", err.Error())
			b.mu.Lock()
			b.here[id] = &bulkHere{over: true, err: err, cancel: func() {}}
			b.mu.Unlock()
		}
	}
}

type bulkSource interface {
	bulk.Source
	io.Closer
}

// open makes the operation that a query names, and the job, and gives the path of its source.
func (b *bulkJobs) open(ctx context.Context, id string, query url.Values) (job *bulk.Job, source string, err error) {
	operation, err := b.operation(query)
	if err != nil {
		return nil, "", err
	}
	if source, err = b.sourcePath(query.Get("source")); err != nil {
		return nil, "", err
	}
	job, err = bulk.Open(ctx, bulk.Order{
		Target: b.target(id), Source: query.Get("source"), Operation: operation, Batch: bulk.UsualBatch(operation.Name()), Call: bulk.Call{Arguments: []string{query.Encode()}},
	})
	return job, source, err
}

// sourcePath is that of a folder or an archive directly below the configured folder.
func (b *bulkJobs) sourcePath(name string) (string, error) {
	names, err := b.sourceNames()
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, name) {
		return "", newProblem(codeQuery, "There is no source %.60q. There are: %s.", name, strings.Join(names[:min(len(names), 50)], ", "))
	}
	return filepath.Join(b.sources, name), nil
}

// source opens a folder or an archive.
func (b *bulkJobs) source(path string, target bulk.Target) (bulkSource, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		a, err := bulk.OpenArchive(path, target.Work(), b.limit)
		return a, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &bulkFolder{bulk.Files{Folder: path, Work: target.Work(), Open: func(full string) ([]byte, int64, error) { return readInside(root, path, full, b.limit) }}, root}, nil
}

// A bulkFolder is the documents of a folder. Links that lead out of it are not followed.
type bulkFolder struct {
	bulk.Files
	root *os.Root
}

func (f *bulkFolder) Close() error { return f.root.Close() }

func readInside(root *os.Root, folder, full string, limit int64) (data []byte, stamp int64, err error) {
	name, err := filepath.Rel(folder, full)
	if err != nil {
		return nil, 0, err
	}
	info, err := root.Stat(name) // before it is opened, because a pipe would be waited for
	if err != nil {
		return nil, 0, err
	}
	if err := bulk.Regular(name, info.Mode()); err != nil {
		return nil, 0, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = bulk.TooLarge(max(info.Size(), int64(len(data))), limit)
	}
	return data, info.ModTime().UnixNano(), err
}

// begin runs a job in its turn.
func (b *bulkJobs) begin(id string, job *bulk.Job, source string) {
	ctx, cancel := context.WithCancel(b.ctx)
	here := &bulkHere{cancel: cancel}
	b.mu.Lock()
	b.here[id] = here
	b.mu.Unlock()
	b.running.Go(func() {
		defer cancel()
		defer job.Close()
		err := b.run(ctx, job, id, source)
		b.mu.Lock()
		here.over, here.err = true, err
		b.mu.Unlock()
		if err != nil {
			b.log.Warn("job ended", "job", id, "error", err.Error())
			return
		}
		b.log.Info("job complete", "job", id)
	})
}

func (b *bulkJobs) run(ctx context.Context, job *bulk.Job, id, path string) error {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	source, err := b.source(path, b.target(id)) // which may take long, where an archive is unpacked
	if err != nil {
		return err
	}
	return errors.Join(job.Run(ctx, bulk.Running{Source: source, Jobs: b.jobs}), source.Close())
}

func (b *bulkJobs) cancelledFile(id string) string {
	return filepath.Join(b.target(id).Work(), bulkCancelledFile)
}

// cancel stops a job for good.
func (b *bulkJobs) cancel(ctx context.Context, id string) error {
	if s, err := bulk.Status(ctx, b.target(id)); err != nil || s.Complete() {
		return err
	}
	if err := b.target(id).Note(ctx, filepath.Join(filepath.Base(b.target(id).Work()), bulkCancelledFile), nil); err != nil {
		return err
	}
	b.mu.Lock()
	here := b.here[id]
	b.mu.Unlock()
	if here != nil {
		here.cancel()
	}
	return nil
}

// state is that of a job of which something is left, and the error that it failed with.
func (b *bulkJobs) state(id string) (string, error) {
	if _, err := os.Stat(b.cancelledFile(id)); err == nil {
		return bulkCancelled, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch here := b.here[id]; {
	case here == nil:
		return bulkStopped, nil
	case !here.over:
		return bulkWorking, nil
	case errors.Is(here.err, context.Canceled):
		return bulkStopped, nil
	default:
		return bulkFailed, here.err
	}
}

// end stops all jobs after the documents in hand. Those that are not done when the context
// ends are left: the process ends with them, and the job goes on after the next start.
func (b *bulkJobs) end(ctx context.Context) {
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
