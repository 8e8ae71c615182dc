package confine

import "time"

// Patience sets how long work that was told to stop has, and then its process for its stacks.
func (p *Pool) Patience(grace, stacks time.Duration) { p.patience = patience{grace, stacks} }

// Idle counts the processes that wait for a call.
func (p *Pool) Idle() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}
