package kosit

import (
	"strings"

	"einvoice/model/source"
)

// locate writes a location such as /ubl:Invoice/cac:InvoiceLine[2] as fn:path() of XPath 3
// does, /Q{...}Invoice[1]/Q{...}InvoiceLine[2]. Any other text is left as it is.
func locate(location string) string {
	if !strings.HasPrefix(location, "/") {
		return location
	}
	var b strings.Builder
	for step := range strings.SplitSeq(location[1:], "/") {
		name, position, _ := strings.Cut(step, "[")
		prefix, local, qualified := strings.Cut(name, ":")
		uri, known := source.Prefixes[prefix]
		if strings.HasPrefix(step, "@") || !qualified || !known {
			b.WriteString("/" + step)
			continue
		}
		if position == "" {
			position = "1]"
		}
		b.WriteString("/Q{" + uri + "}" + local + "[" + position)
	}
	return b.String()
}
