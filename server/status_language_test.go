package server_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What the status of a job says went wrong, with the job, its documents or its message, is in the language
// that is asked for, whatever went wrong: the same status in another language has no sentence of the first.
func TestStatusesInOneLanguage(t *testing.T) {
	s := bulkServer(t, "", nil)
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same archives in every run
	kinds := archives(t, 40)
	past := time.Now().UTC().Format(time.RFC3339)
	failed := map[string]bool{}
	for i := range 40 {
		kind := []string{"application/zip", "application/x-tar", "application/gzip", "application/zstd"}[r.IntN(4)]
		data := append([]byte(nil), kinds[kind]...)
		query := "?operation=" + []string{"validate", "extract&to=json", "impact&old=en16931&new=xrechnung"}[r.IntN(3)]
		switch r.IntN(5) {
		case 0:
			data = data[:300+r.IntN(len(data)-300)] // it was cut off
		case 1:
			for range 1 + r.IntN(50) { // it came broken
				data[300+r.IntN(len(data)-300)] ^= byte(1 + r.IntN(255))
			}
		case 2:
			query += "&deadline=" + past
		case 3:
			kind, data = "application/zip", []byte("PK\x05\x06"+strings.Repeat("\x00", 18)) // nothing is in it
		}
		a := s.upload(t, query, kind, data)
		if a.StatusCode != http.StatusAccepted {
			continue
		}
		job := s.ended(t, a)
		if job.Error == "" {
			continue
		}
		failed[strings.SplitN(job.Error, " ", 4)[1]] = true
		english := job.Error
		for _, language := range []string{"de", "fr"} {
			one := s.get(t, "/v1/bulk/"+job.ID, "Accept-Language", language)
			told := jobIn(t, one).Error
			if one.Header.Get("Content-Language") != language {
				t.Errorf("%d in %s: the answer is in %q", i, language, one.Header.Get("Content-Language"))
			}
			for sentence := range strings.SplitSeq(english, "; ") {
				if len(sentence) > 20 && strings.Contains(told, sentence) {
					t.Errorf("%d in %s: %s", i, language, told)
				}
			}
			if !strings.Contains(string(s.get(t, "/v1/bulk", "Accept-Language", language).body), fmt.Sprintf("%.20s", told)) {
				t.Errorf("%d in %s: the list has another text than %s", i, language, told)
			}
		}
	}
	if len(failed) < 3 {
		t.Errorf("jobs failed in the ways %v alone", failed)
	}
}
