package ranker

import "slices"

// days are the candidates that are days.
func (s *surface) days() {
	times := map[string]int{}
	var values []string
	for i := range s.rows {
		for _, d := range s.rows[i].days {
			times[d.ISO()]++
			values = append(values, d.ISO())
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for i := range s.rows {
		r := &s.rows[i]
		for j, d := range r.days {
			f := s.begin(r, d.first, d.n)
			rank, _ := slices.BinarySearch(values, d.ISO())
			f.count("days before: ", rank, 4)
			f.count("days after: ", len(values)-1-rank, 4)
			f.count("days: ", len(values), 6)
			f.count("times: ", times[d.ISO()], 4)
			f.count("days in the row: ", len(r.days), 3)
			f.count("day in the row: ", j, 3)
			s.end(Days, d.ISO())
		}
	}
}
