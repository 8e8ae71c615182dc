package server

import (
	"net/http"
	"strconv"
	"strings"

	"einvoice/service/kosit"
)

// sendSecond answers as version 2 of the validator's server does: 200 whatever the
// outcome, which is in headers.
func (d *kositDaemon) sendSecond(x *exchange, result *kosit.Result) error {
	h := x.Header()
	h.Set("X-VALIDATOR-Schema-Valid", strconv.FormatBool(result.SchemaValid))
	h.Set("X-VALIDATOR-Schematron-Valid", strconv.FormatBool(result.SchematronValid))
	h.Set("X-VALIDATOR-Acceptance", string(result.Recommendation))
	if x.request.URL.Path == "/api/validate/minimal" && prefersJSON(x.request) {
		h.Set("Content-Disposition", "attachment; filename=compact-validation-result.json")
		return x.sendJSON(http.StatusOK, "application/json", result.Compact(Version))
	}
	h.Set("Content-Disposition", "attachment; filename=validation-result.xml")
	report, err := result.XVRL(Version)
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, xmlType, report)
}

// prefersJSON reports whether the client prefers JSON to XML. If it likes both alike, the
// first that it names decides.
func prefersJSON(r *http.Request) bool {
	ranges := parseAccept(strings.Join(r.Header.Values("Accept"), ","))
	asJSON, asXML := quality(ranges, "application/json"), quality(ranges, "application/xml")
	if asJSON != asXML {
		return asJSON > asXML
	}
	for _, r := range ranges {
		switch r.mediaType {
		case "application/json", "application/*", "*/*":
			return asJSON > 0
		case "application/xml":
			return false
		}
	}
	return false
}
