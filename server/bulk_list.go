package server

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"einvoice/service/bulk"
)

// Bounds of GET /v1/bulk.
const (
	mostBulkListed  = 50
	mostBulkSources = 500
)

// A bulkList are the jobs of a server, and what jobs can be about.
type bulkList struct {
	Jobs    []*bulkStatus `json:"jobs"`    // newest first
	Omitted int           `json:"omitted"` // older ones
	Sources []string      `json:"sources"`
}

// listBulk is GET /v1/bulk.
func (s *Server) listBulk(x *exchange) error {
	if _, err := s.bulkQuery(x); err != nil {
		return err
	}
	sources, err := s.bulk.sourceNames()
	if err != nil {
		return err
	}
	ids, err := s.bulk.ids()
	if err != nil {
		return err
	}
	list := bulkList{Jobs: []*bulkStatus{}, Omitted: max(0, len(ids)-mostBulkListed), Sources: sources[:min(len(sources), mostBulkSources)]}
	for _, id := range ids[:min(len(ids), mostBulkListed)] {
		status, err := s.bulk.status(x.request.Context(), id)
		if err != nil {
			return err
		}
		list.Jobs = append(list.Jobs, status)
	}
	return x.sendJSON(http.StatusOK, "application/json", list)
}

// ids are those of all jobs, newest first.
func (b *bulkJobs) ids() ([]string, error) {
	entries, err := os.ReadDir(b.results)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil // before the first job
		}
		return nil, err
	}
	type begun struct {
		id   string
		when time.Time
	}
	var all []begun
	for _, e := range entries {
		if !bulkID.MatchString(e.Name()) {
			continue
		}
		if info, err := os.Stat(filepath.Join(string(b.target(e.Name())), "job.json")); err == nil {
			all = append(all, begun{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, c begun) int { return cmp.Or(c.when.Compare(a.when), cmp.Compare(a.id, c.id)) })
	ids := make([]string, len(all))
	for i, one := range all {
		ids[i] = one.id
	}
	return ids, nil
}

// sourceNames are the folders and archives that jobs can be about.
func (b *bulkJobs) sourceNames() ([]string, error) {
	entries, err := os.ReadDir(b.sources)
	names := []string{}
	for _, e := range entries {
		if e.IsDir() || e.Type().IsRegular() && bulk.IsArchive(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
