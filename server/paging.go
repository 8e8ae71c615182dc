package server

import (
	"fmt"
	"maps"
	"net/url"
	"strconv"

	"einvoice/server/refusal"
)

// mostOfPage is the most that a client may ask for at once, where it asks for pages.
const mostOfPage = 1000

// page is the part of a list that a request asks for by limit and offset: all of it without
// them. The header Link says where the next and the previous parts are (RFC 8288).
func page[T any](x *exchange, all []T) ([]T, error) {
	query := maps.Clone(x.query)
	if !query.Has("limit") {
		if query.Has("offset") {
			return nil, newProblem(refusal.Query, "Give \"limit\" with \"offset\": how many at most, from 1 to %d.", mostOfPage)
		}
		return all, nil
	}
	limit, err := number(query, "limit", 1, mostOfPage)
	if err != nil {
		return nil, err
	}
	offset := 0
	if query.Has("offset") {
		if offset, err = number(query, "offset", 0, len(all)); err != nil {
			return nil, err
		}
	}
	link := func(relation string, offset int) {
		query.Set("offset", strconv.Itoa(offset))
		x.Header().Add("Link", fmt.Sprintf("<%s?%s>; rel=%q", x.request.URL.Path, query.Encode(), relation))
	}
	if offset > 0 {
		link("prev", max(offset-limit, 0))
	}
	if offset+limit < len(all) {
		link("next", offset+limit)
	}
	return all[offset:min(offset+limit, len(all))], nil
}

// number is a parameter that is a whole number within bounds.
func number(query url.Values, name string, least, most int) (int, error) {
	n, err := strconv.Atoi(query.Get(name))
	if err != nil || n < least || n > most {
		return 0, newProblem(refusal.Query, "Give the parameter %q as a whole number from %d to %d.", name, least, most)
	}
	return n, nil
}
