package jobs

import (
	"einvoice/server/publishing"
	"einvoice/service/bulk"
)

// A JobCall is what a process has to know of a job.
type JobCall struct {
	ID     string
	Query  string           // that began the job
	Digest string           // of its operation, which has to be that of the process
	Book   *publishing.Book // that its rules are from
}

// processes are those of a job that was opened.
func (b *Jobs) processes(id string, job *bulk.Job) (do bulk.Elsewhere, end func()) {
	book, ok := b.books.LoadAndDelete(id)
	if b.Processes == nil || !ok {
		return nil, func() {}
	}
	return b.Processes(JobCall{id, job.Call.Arguments[0], job.Digest, book.(*publishing.Book)})
}
