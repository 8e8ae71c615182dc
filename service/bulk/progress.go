package bulk

import (
	"sync"
	"time"
)

// Progress is how far a run is.
type Progress struct {
	Done, All int           // documents; All is 0 while that is not known
	Rate      float64       // documents a second, of this run; 0 while that is not known
	Left      time.Duration // 0 while that is not known
}

// progress counts documents, whoever does them.
type progress struct {
	said func(Progress)
	now  func() time.Time

	mu     sync.Mutex
	all    int
	before int // documents that were done when this pass began, or that it found done
	first  int // those of them that were done when this run began
	begun  bool
	began  time.Time
}

func newProgress(said func(Progress)) *progress { return &progress{said: said, now: time.Now} }

// expect tells how many documents there are.
func (p *progress) expect(all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = all
}

// begins begins a pass, before which some documents were done.
func (p *progress) begins(done int) {
	p.mu.Lock()
	p.before = done
	if !p.begun {
		p.begun, p.first, p.began = true, done, p.now()
	}
	p.mu.Unlock()
	p.tell(0)
}

// skip counts documents that a pass finds done.
func (p *progress) skip(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before += n
	p.first += n
}

// tell tells how far it is when some documents were done in this pass.
func (p *progress) tell(done int) {
	if p.said == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := Progress{Done: p.before + max(done, 0), All: p.all}
	if took := p.now().Sub(p.began).Seconds(); now.Done > p.first && took > 0 {
		now.Rate = float64(now.Done-p.first) / took
		now.Left = time.Duration(float64(max(now.All-now.Done, 0)) / now.Rate * float64(time.Second))
	}
	p.said(now)
}

// documents are about those of some batches.
func (m *manifestInfo) documents(batches int) int {
	return int(int64(m.Documents) * int64(batches) / int64(max(m.Batches, 1)))
}
