package server

import (
	"net/http"
	"slices"

	"einvoice/server/jobs"
)

// Bounds of GET /v1/bulk.
const (
	mostBulkListed  = 50
	mostBulkSources = 500
)

// A bulkList are the jobs of a server, and what jobs can be about.
type bulkList struct {
	Jobs    []*jobs.Status `json:"jobs"`    // newest first
	Omitted int            `json:"omitted"` // older ones
	Sources []string       `json:"sources"`
}

// listBulk is GET /v1/bulk.
func (s *Server) listBulk(x *exchange) error {
	if err := s.servesBulk(); err != nil {
		return err
	}
	sources, err := s.bulk.Sources()
	if err != nil {
		return err
	}
	ids, err := s.bulk.IDs()
	if err != nil {
		return err
	}
	if x.tenant != nil {
		ids = slices.DeleteFunc(ids, func(id string) bool { return !s.mayRead(x, id) })
		sources = slices.DeleteFunc(sources, func(name string) bool { return !slices.Contains(x.tenant.Sources, name) })
	}
	list := bulkList{Jobs: []*jobs.Status{}, Omitted: max(0, len(ids)-mostBulkListed), Sources: sources[:min(len(sources), mostBulkSources)]}
	for _, id := range ids[:min(len(ids), mostBulkListed)] {
		status, err := s.bulk.Status(x.request.Context(), id)
		if err != nil && !s.bulk.Has(id) {
			continue // its days were over a moment ago
		}
		if err != nil {
			return err
		}
		list.Jobs = append(list.Jobs, status.In(x.words))
	}
	x.tellLanguage()
	return x.sendJSON(http.StatusOK, "application/json", list)
}
