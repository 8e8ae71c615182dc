package server_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
)

// Servers over one folder, as where one replaces another, do each job once: whichever is asked, a job
// that one of them works on does not fail; a request with an idempotency
// key begins one job at whichever it is sent to, and again; what one that stops leaves behind the
// others do, and its archives too.
func TestServersShareJobs(t *testing.T) {
	const documents = 700
	archive := archives(t, documents)["application/gzip"]
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 29)) //nolint:gosec // the same acts in every run
			begin, secrets, _ := tenantsOf(t, "jobs: 99", documents)
			var servers []*testServer
			var stops []func()
			more := func() {
				s, stop := begin()
				servers, stops = append(servers, s), append(stops, stop)
			}
			any := func() *testServer { return servers[r.IntN(len(servers))] }
			ids, cancelled := map[string]string{}, map[string]bool{} // by the idempotency key; by the id
			submit := func() {
				key := fmt.Sprint("key ", r.IntN(4))
				query, body := "?source=all", []byte(nil)
				if key > "key 1" {
					query, body = "", archive
				}
				a := any().askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk"+query, body, "Content-Type", "application/gzip", "Idempotency-Key", key)
				a.wants(t, http.StatusAccepted, "")
				if id := jobIn(t, a).ID; ids[key] == "" {
					ids[key] = id
				} else if ids[key] != id {
					t.Errorf("%s began %s and %s", key, ids[key], id)
				}
			}
			look := func() (ended bool) {
				ended = true
				for _, id := range ids {
					job := jobIn(t, any().askAs(t, secrets["acme"], http.MethodGet, "/v1/bulk/"+id, nil))
					switch {
					case job.State == "complete" && job.Documents == documents, job.State == "cancelled" && cancelled[id]:
					case job.State == "working", job.State == "stopped": // one that stopped a moment ago left it
						ended = false
					default:
						t.Fatalf("%s is %s with %d documents: %s", id, job.State, job.Documents, job.Error)
					}
				}
				return ended
			}
			more()
			for range 12 {
				switch r.IntN(5) {
				case 0, 1:
					submit()
				case 2:
					if len(servers) < 3 {
						more()
					}
				case 3:
					if n := len(servers); n > 1 {
						i := r.IntN(n)
						stops[i]()
						servers, stops = append(servers[:i:i], servers[i+1:]...), append(stops[:i:i], stops[i+1:]...)
					}
				default:
					for _, id := range ids {
						if cancelled[id] = r.IntN(6) == 0 || cancelled[id]; cancelled[id] {
							any().askAs(t, secrets["acme"], http.MethodDelete, "/v1/bulk/"+id, nil)
						}
						break
					}
				}
				look()
			}
			eventually(t, "all jobs end", look)
			for _, stop := range stops {
				stop()
			}
		})
	}
}
