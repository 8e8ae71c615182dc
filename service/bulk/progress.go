package bulk

import "time"

// Progress is how far a run is.
type Progress struct {
	Done, All int           // documents
	Rate      float64       // documents a second, of this run; 0 while that is not known
	Left      time.Duration // 0 while that is not known
}

// progress counts by batches, whoever does them.
type progress struct {
	manifest *manifestInfo
	said     func(Progress)
	now      func() time.Time
	left     int // batches when this pass began
	began    time.Time
	first    int // batches that were done when this run began
}

func newProgress(m *manifestInfo, said func(Progress)) *progress {
	return &progress{manifest: m, said: said, now: time.Now, first: -1}
}

// begins begins a pass.
func (p *progress) begins(done batchSet) {
	n := done.len()
	p.left = p.manifest.Batches - n
	if p.first < 0 {
		p.first, p.began = n, p.now()
	}
	p.at(n)
}

// tell tells how far it is when some batches were done in this pass.
func (p *progress) tell(done int) { p.at(p.manifest.Batches - p.left + max(done, 0)) }

func (p *progress) at(batches int) {
	if p.said == nil {
		return
	}
	documents := func(batches int) int {
		return int(int64(p.manifest.Documents) * int64(batches) / int64(max(p.manifest.Batches, 1)))
	}
	now := Progress{Done: documents(batches), All: p.manifest.Documents}
	if took := p.now().Sub(p.began).Seconds(); batches > p.first && took > 0 {
		now.Rate = float64(documents(batches)-documents(p.first)) / took
		now.Left = time.Duration(float64(now.All-now.Done) / now.Rate * float64(time.Second))
	}
	p.said(now)
}
