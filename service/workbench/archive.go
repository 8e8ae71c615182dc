package workbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/validate"
)

// Bounds of an archive, and of what one request has of it.
const (
	mostArchived      = 200_000
	mostArchivedBytes = 64 << 20 // of one file
	archiveBatch      = 500
	mostAtOnce        = 8 // documents, as far as there are processors
)

// An archive is the folder of past invoices of a service.
type archive struct {
	folder fs.FS
	lock   sync.Mutex
	listed []string
}

// names are the files that may be invoices, sorted, and links with such names, which are told as unread.
// An archive of which a part alone would be counted is refused. A run through the archive begins with
// listing it again.
func (a *archive) names(anew bool) ([]string, error) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.listed != nil && !anew {
		return a.listed, nil
	}
	names := []string{}
	err := fs.WalkDir(a.folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() && entry.Type() != fs.ModeSymlink {
			return err
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".xml", ".pdf":
			names = append(names, name)
		}
		if len(names) > mostArchived {
			return wrong("archive", fmt.Sprintf("the archive of the service has more than %d documents", mostArchived), "start it with a part of them as --archive, or use bulk run impact")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	a.listed = names
	return names, nil
}

func (a *archive) read(name string) ([]byte, error) {
	about, err := fs.Lstat(a.folder, name) // where a link leads is up to whoever made it
	if err != nil {
		return nil, err
	}
	if !about.Mode().IsRegular() {
		return nil, errors.New("the name is not of a file")
	}
	if about.Size() > mostArchivedBytes {
		return nil, errors.New("the file is too large")
	}
	return fs.ReadFile(a.folder, name)
}

// A past document is read when it is its turn.
type past struct {
	name string
	read func() ([]byte, error)
}

// given are the documents of a request.
func given(documents []Given) []past {
	out := make([]past, len(documents))
	for i := range documents {
		out[i] = past{documents[i].Name, func() ([]byte, error) { return documents[i].bytes(), nil }}
	}
	return out
}

// Batch is how far a request came in an archive.
type Batch struct {
	Documents int      `json:"documents"` // that were read
	Unread    []string `json:"unread"`    // names of what is not an invoice
	// Next is the document of the archive that was looked at last, behind which the next request
	// goes on, and Total how many there are; null and 0 without an archive, and Next null at its end.
	Next  *string `json:"next"`
	Total int     `json:"total"`
	// Rules tells of the answers of one run whether the same rules decided.
	Rules string `json:"rules"`
}

// archived are the documents of the archive behind one of them, or from the first one on, as many as
// one request takes. A number would name another document once somebody has filed one, and another
// run has listed them.
func (d *Desk) archived(behind string, b *Batch) ([]past, error) {
	if d.archive == nil {
		return nil, wrong("archive", "this service has no archive", "start it with --archive, or send documents")
	}
	names, err := d.archive.names(behind == "")
	if err != nil {
		return nil, err
	}
	b.Total = len(names)
	from, found := slices.BinarySearch(names, behind)
	if found {
		from++
	}
	to := min(from+archiveBatch, len(names))
	if to < len(names) {
		b.Next = &names[to-1]
	}
	var out []past
	for _, name := range names[from:to] {
		out = append(out, past{name, func() ([]byte, error) { return d.archive.read(name) }})
	}
	return out, nil
}

// eachDocument reads documents and looks at them, several at once; what is found is in their
// order.
func eachDocument[Found any](ctx context.Context, d *Desk, documents []past, b *Batch, look func(context.Context, *model.Document, string) (*Found, error)) ([]Found, error) {
	type result struct {
		read  bool
		found *Found
		err   error
	}
	results := make([]result, len(documents))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostAtOnce, len(documents)) {
		workers.Go(func() {
			for i := range next {
				r := &results[i]
				data, err := documents[i].read()
				if err != nil {
					continue
				}
				doc, err := d.service.Read(ctx, data, validate.Accept{PDF: true})
				if err != nil {
					continue
				}
				r.read = true
				r.found, r.err = look(ctx, doc, documents[i].name)
			}
		})
	}
	for i := range documents {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	found := []Found{}
	for i, r := range results {
		switch {
		case r.err != nil:
			return nil, fmt.Errorf("%s: %w", documents[i].name, r.err)
		case !r.read:
			b.Unread = append(b.Unread, documents[i].name)
			continue
		case r.found != nil:
			found = append(found, *r.found)
		}
		b.Documents++
	}
	return found, nil
}

// ArchivedRequest asks for a document of the service's archive.
type ArchivedRequest struct {
	Settings
	Name string `json:"name"`
}

// Archived is a document of the archive.
type Archived struct {
	File []byte `json:"file"` // base64 in JSON
	Name string `json:"name"`
}

func (d *Desk) document(_ context.Context, r *ArchivedRequest) (*Archived, error) {
	if d.archive == nil {
		return nil, wrong("name", "this service has no archive", "start it with --archive")
	}
	names, err := d.archive.names(false)
	if err != nil {
		return nil, err
	}
	if _, known := slices.BinarySearch(names, r.Name); !known {
		return nil, wrong("name", "the archive has no such document", "choose one that impact or fires lists")
	}
	data, err := d.archive.read(r.Name)
	if err != nil {
		return nil, wrong("name", "the document can no longer be read", "list the archive again")
	}
	return &Archived{data, r.Name}, nil
}

// FiresRequest asks which rules past documents violate.
type FiresRequest struct {
	Settings
	// Archive is the document behind which to go on; "" for the beginning.
	Archive string `json:"archive"`
}

// Fires are the documents of a batch that violate rules.
type Fires struct {
	Batch
	Fired []Violations `json:"fired"`
}

// Violations are the rules that a document violates.
type Violations struct {
	Document string   `json:"document"`
	Seller   string   `json:"seller"`
	Month    string   `json:"month"` // of the issue date, as 2026-11
	Valid    bool     `json:"valid"`
	Rules    []string `json:"rules"` // each once
}

func (d *Desk) fires(ctx context.Context, r *FiresRequest) (*Fires, error) {
	desk, err := d.with(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	rules, err := desk.rulesOf(&r.Settings)
	if err != nil {
		return nil, err
	}
	out := &Fires{Batch: Batch{Unread: []string{}, Rules: d.rulesInForce()}}
	documents, err := d.archived(r.Archive, &out.Batch)
	if err != nil {
		return nil, err
	}
	out.Fired, err = eachDocument(ctx, d, documents, &out.Batch, func(ctx context.Context, doc *model.Document, name string) (*Violations, error) {
		result, err := desk.service.ValidateDocument(ctx, doc, rules)
		if err != nil || len(result.Report.Findings) == 0 {
			return nil, err
		}
		v := &Violations{Document: name, Seller: sellerOf(doc), Month: monthOf(doc), Valid: result.Report.Valid}
		for i := range result.Report.Findings {
			v.Rules = append(v.Rules, result.Report.Findings[i].Rule)
		}
		slices.Sort(v.Rules)
		v.Rules = slices.Compact(v.Rules)
		return v, nil
	})
	return out, err
}

func sellerOf(doc *model.Document) string {
	if doc.Invoice.Seller == nil {
		return ""
	}
	return doc.Invoice.Seller.Name.Raw
}

// monthOf is the month of the issue date; "" without one.
func monthOf(doc *model.Document) string {
	if day := engine.IssueDay(doc.Invoice); day != "" {
		return string(day)[:len("2026-11")]
	}
	return ""
}
