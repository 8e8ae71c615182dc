package server

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"einvoice/service/report"
)

// negotiable are the formats of reports in order of preference: the first one serves
// clients that ask for nothing, for everything, or for what there is not. JSON
// Lines and plain text come last, so that "application/*" and "text/*" mean others.
var negotiable = func() []*report.Format {
	order := []*report.Format{jsonFormat, htmlFormat}
	last := []*report.Format{report.Named("jsonl"), textFormat}
	for _, f := range report.Formats {
		if f.MediaType != "" && !slices.Contains(order, f) && !slices.Contains(last, f) {
			order = append(order, f)
		}
	}
	return append(order, last...)
}()

// negotiate picks the format of the highest quality. A client that accepts none of
// them gets JSON rather than an error, as RFC 9110 allows: a verdict in the wrong form
// is worth more than none.
func negotiate(accept []string) *report.Format {
	offered := make([]string, len(negotiable))
	for i, f := range negotiable {
		offered[i] = f.MediaType
	}
	return negotiable[preferred(accept, offered...)]
}

// preferred is which of the offered types has the highest quality; the first one
// if none is accepted.
func preferred(accept []string, offered ...string) int {
	best, bestQuality := 0, 0.0
	ranges := parseAccept(strings.Join(accept, ","))
	for i, mediaType := range offered {
		if q := quality(ranges, mediaType); q > bestQuality {
			best, bestQuality = i, q
		}
	}
	return best
}

type mediaRange struct {
	mediaType string
	quality   float64
}

func parseAccept(accept string) (ranges []mediaRange) {
	const most = 50 // a browser sends some ten
	for _, part := range strings.SplitN(accept, ",", most) {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		r := mediaRange{kind, 1}
		if q, ok := params["q"]; ok {
			if r.quality, err = strconv.ParseFloat(q, 64); err != nil || r.quality < 0 || r.quality > 1 {
				continue
			}
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// quality is what the most specific range says of a type. Problems are JSON, so
// that who accepts application/problem+json accepts the JSON form.
func quality(ranges []mediaRange, mediaType string) float64 {
	best, specific := 0.0, -1
	major, _, _ := strings.Cut(mediaType, "/")
	for _, r := range ranges {
		s := -1
		switch {
		case r.mediaType == mediaType, mediaType == "application/json" && r.mediaType == "application/problem+json":
			s = 2
		case r.mediaType == major+"/*":
			s = 1
		case r.mediaType == "*/*":
			s = 0
		}
		if s > specific || s == specific && s >= 0 && r.quality > best {
			best, specific = r.quality, s
		}
	}
	return best
}
