package bulk

import "sync/atomic"

// progress counts the documents that are done.
type progress struct {
	all  int
	done atomic.Int64
	tell func(done, all int)
}

func (p *progress) set(done int) {
	p.done.Store(int64(done))
	p.told(done)
}

func (p *progress) add(documents int) { p.told(int(p.done.Add(int64(documents)))) }

func (p *progress) told(done int) {
	if p.tell != nil {
		p.tell(min(done, p.all), p.all)
	}
}
