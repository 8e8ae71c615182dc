// Package otlp sends traces to a collector: OTLP over HTTP, as JSON. The exporter of
// OpenTelemetry brings gRPC and its protocol buffers, 4 MB, to send the same.
package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/model/quote"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	spans "go.opentelemetry.io/otel/trace"
)

const (
	mostTries    = 4
	firstWait    = time.Second // then twice as long each time
	perTry       = 10 * time.Second
	mostResponse = 64 << 10 // bytes that are read
)

// An Exporter sends spans to the URL of a collector.
type Exporter struct {
	endpoint string
	headers  http.Header
	client   http.Client
}

// New returns an exporter. Headers are what OTEL_EXPORTER_OTLP_HEADERS holds: name=value, with
// commas between them, percent-encoded; a collector may want a token there.
func New(endpoint, headers string) (*Exporter, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is not a URL of a collector; write one such as http://collector:4318/v1/traces", endpoint)
	}
	e := &Exporter{endpoint: endpoint, headers: http.Header{"Content-Type": {"application/json"}}, client: http.Client{Timeout: perTry}}
	for pair := range strings.SplitSeq(headers, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, given := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !given || err != nil {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS is to have name=value, with commas between them, percent-encoded")
		}
		e.headers.Set(strings.TrimSpace(name), value)
	}
	return e, nil
}

// ExportSpans sends spans, again where the collector is busy.
func (e *Exporter) ExportSpans(ctx context.Context, all []trace.ReadOnlySpan) error {
	body, err := json.Marshal(requestOf(all))
	if err != nil {
		return err
	}
	for try, wait := 1, firstWait; ; try, wait = try+1, 2*wait {
		busy, err := e.send(ctx, body)
		if err == nil || !busy || try == mostTries {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// send sends a request, and reports whether it may be sent again.
func (e *Exporter) send(ctx context.Context, body []byte) (again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.endpoint, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header = e.headers.Clone()
	response, err := e.client.Do(request)
	if err != nil {
		return true, fmt.Errorf("no answer from %s: %w", request.URL.Host, quote.WithoutURL(err))
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, mostResponse))
	if err != nil {
		return true, err
	}
	if response.StatusCode/100 != 2 {
		again = slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, response.StatusCode)
		return again, fmt.Errorf("the collector answers %s", response.Status)
	}
	var partial struct {
		PartialSuccess struct {
			RejectedSpans json.Number
			ErrorMessage  string
		}
	}
	if json.Unmarshal(said, &partial) == nil && partial.PartialSuccess.ErrorMessage != "" {
		return false, fmt.Errorf("the collector rejected %s spans: %s", partial.PartialSuccess.RejectedSpans, partial.PartialSuccess.ErrorMessage)
	}
	return false, nil
}

// Shutdown has nothing left to do: spans are sent when they are exported.
func (e *Exporter) Shutdown(context.Context) error { return nil }

// object is an object of the JSON mapping of OTLP: numbers of 64 bits are texts, identifiers
// hexadecimal, and values of enumerations numbers.
type object map[string]any

// requestOf is the request that exports spans, which are all of one resource.
func requestOf(all []trace.ReadOnlySpan) object {
	if len(all) == 0 {
		return object{}
	}
	scopes := map[string][]object{}
	for _, s := range all {
		scope := s.InstrumentationScope()
		key := scope.Name + "\x00" + scope.Version
		scopes[key] = append(scopes[key], spanOf(s))
	}
	var of []object
	for key, list := range scopes {
		name, version, _ := strings.Cut(key, "\x00")
		of = append(of, object{"scope": object{"name": name, "version": version}, "spans": list})
	}
	resource := object{"attributes": attributesOf(all[0].Resource().Attributes())}
	return object{"resourceSpans": []object{{"resource": resource, "scopeSpans": of}}}
}

func spanOf(s trace.ReadOnlySpan) object {
	context, parent := s.SpanContext(), s.Parent()
	o := object{
		"traceId": context.TraceID().String(), "spanId": context.SpanID().String(), "flags": flagsOf(context, parent),
		"name": s.Name(), "kind": int(s.SpanKind()), // the numbers are the same
		"startTimeUnixNano": nanoseconds(s.StartTime()), "endTimeUnixNano": nanoseconds(s.EndTime()),
		"attributes": attributesOf(s.Attributes()), "droppedAttributesCount": s.DroppedAttributes(),
		"status": statusOf(s.Status()),
	}
	if state := context.TraceState().String(); state != "" {
		o["traceState"] = state
	}
	if parent.HasSpanID() {
		o["parentSpanId"] = parent.SpanID().String()
	}
	var events []object
	for _, e := range s.Events() {
		events = append(events, object{"timeUnixNano": nanoseconds(e.Time), "name": e.Name, "attributes": attributesOf(e.Attributes), "droppedAttributesCount": e.DroppedAttributeCount})
	}
	if events != nil {
		o["events"], o["droppedEventsCount"] = events, s.DroppedEvents()
	}
	return o
}

// flagsOf are the flags of the trace, and whether the parent is of another process.
func flagsOf(of, parent spans.SpanContext) int {
	const known, remote = 0x100, 0x200
	flags := int(of.TraceFlags()) | known
	if parent.IsRemote() {
		flags |= remote
	}
	return flags
}

func statusOf(s trace.Status) object {
	number := map[codes.Code]int{codes.Ok: 1, codes.Error: 2}[s.Code]
	return object{"code": number, "message": s.Description}
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func attributesOf(all []attribute.KeyValue) []object {
	list := make([]object, len(all))
	for i, a := range all {
		list[i] = object{"key": string(a.Key), "value": valueOf(a.Value)}
	}
	return list
}

func valueOf(v attribute.Value) object {
	switch v.Type() {
	case attribute.BOOL:
		return object{"boolValue": v.AsBool()}
	case attribute.INT64:
		return object{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return object{"doubleValue": v.AsFloat64()}
	case attribute.STRINGSLICE:
		values := []object{}
		for _, text := range v.AsStringSlice() {
			values = append(values, object{"stringValue": text})
		}
		return object{"arrayValue": object{"values": values}}
	}
	return object{"stringValue": v.String()}
}
