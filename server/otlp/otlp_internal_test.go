package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	spans "go.opentelemetry.io/otel/trace"
)

// A value is an AnyValue of OTLP, as its JSON mapping has it.
type value struct {
	StringValue *string
	BoolValue   *bool
	IntValue    *int64 `json:",string"`
	DoubleValue *float64
	ArrayValue  *struct{ Values []value }
}

type keyValue struct {
	Key   string
	Value value
}

// An exportRequest is an ExportTraceServiceRequest as its JSON mapping has it.
type exportRequest struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes []keyValue }
		ScopeSpans []struct {
			Scope struct{ Name, Version string }
			Spans []struct {
				TraceID, SpanID, ParentSpanID, TraceState string
				Flags                                     uint32
				Name                                      string
				Kind                                      int
				StartTimeUnixNano, EndTimeUnixNano        uint64 `json:",string"`
				Attributes                                []keyValue
				DroppedAttributesCount                    uint32
				Events                                    []struct {
					TimeUnixNano           uint64 `json:",string"`
					Name                   string
					Attributes             []keyValue
					DroppedAttributesCount uint32
				}
				DroppedEventsCount uint32
				Status             struct {
					Code    int
					Message string
				}
			}
		}
	}
}

// A collector answers with the statuses that it is given, one after the other, then with 200.
type collector struct {
	statuses []int
	said     string
	requests []exportRequest
	headers  http.Header
	times    []time.Time
}

// RoundTrip takes a request.
func (c *collector) RoundTrip(r *http.Request) (*http.Response, error) {
	c.times, c.headers = append(c.times, time.Now()), r.Header
	status := http.StatusOK
	if len(c.statuses) > 0 {
		status, c.statuses = c.statuses[0], c.statuses[1:]
	}
	var request exportRequest
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return nil, err
	}
	c.requests = append(c.requests, request)
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(bytes.NewReader([]byte(c.said))), Request: r}, nil
}

// export sends a span with everything that one may have.
func export(t *testing.T, c *collector) error {
	t.Helper()
	e, err := New("http://collector/v1/traces", "authorization=Bearer%20secret, x-tenant = a ")
	if err != nil {
		t.Fatal(err)
	}
	e.client.Transport = c
	var failed error
	provider := trace.NewTracerProvider(trace.WithSyncer(exporterFunc(func(ctx context.Context, all []trace.ReadOnlySpan) error {
		failed = e.ExportSpans(ctx, all)
		return nil
	})), trace.WithResource(resource.NewSchemaless(attribute.String("service.name", "einvoice"))))
	traceID, _ := spans.TraceIDFromHex("0af7651916cd43dd8448eb211c80319c")
	spanID, _ := spans.SpanIDFromHex("b7ad6b7169203331")
	state, _ := spans.ParseTraceState("a=b")
	parent := spans.NewSpanContext(spans.SpanContextConfig{TraceID: traceID, SpanID: spanID, TraceFlags: spans.FlagsSampled, TraceState: state, Remote: true})
	_, span := provider.Tracer("scope", spans.WithInstrumentationVersion("1")).Start(spans.ContextWithSpanContext(t.Context(), parent), "POST", spans.WithSpanKind(spans.SpanKindServer))
	span.SetAttributes(attribute.String("s", "ü"), attribute.Int64("i", 1<<60), attribute.Bool("b", true), attribute.Float64("f", 0.5), attribute.StringSlice("l", []string{"x", "y"}), attribute.Int64Slice("other", []int64{1}))
	span.AddEvent("happened", spans.WithAttributes(attribute.String("e", "v")))
	span.SetStatus(codes.Error, "failed")
	span.End()
	return failed
}

type exporterFunc func(context.Context, []trace.ReadOnlySpan) error

// ExportSpans calls the function.
func (f exporterFunc) ExportSpans(ctx context.Context, all []trace.ReadOnlySpan) error {
	return f(ctx, all)
}

// Shutdown does nothing.
func (exporterFunc) Shutdown(context.Context) error { return nil }

func TestMapping(t *testing.T) {
	c := &collector{}
	if err := export(t, c); err != nil {
		t.Fatal(err)
	}
	if c.headers.Get("Authorization") != "Bearer secret" || c.headers.Get("X-Tenant") != "a" || c.headers.Get("Content-Type") != "application/json" {
		t.Errorf("the headers are %v", c.headers)
	}
	of := c.requests[0].ResourceSpans[0]
	if a := of.Resource.Attributes; len(a) != 1 || a[0].Key != "service.name" || *a[0].Value.StringValue != "einvoice" {
		t.Errorf("the resource has %+v", a)
	}
	if scope := of.ScopeSpans[0].Scope; scope.Name != "scope" || scope.Version != "1" {
		t.Errorf("the scope is %+v", scope)
	}
	s := of.ScopeSpans[0].Spans[0]
	if s.TraceID != "0af7651916cd43dd8448eb211c80319c" || s.ParentSpanID != "b7ad6b7169203331" || len(s.SpanID) != 16 || s.TraceState != "a=b" || s.Flags != 0x301 {
		t.Errorf("the span is %+v", s)
	}
	if s.Name != "POST" || s.Kind != 2 || s.StartTimeUnixNano == 0 || s.EndTimeUnixNano < s.StartTimeUnixNano || s.Status.Code != 2 || s.Status.Message != "failed" {
		t.Errorf("the span is %+v", s)
	}
	v := map[string]value{}
	for _, a := range s.Attributes {
		v[a.Key] = a.Value
	}
	if len(v) != 6 || *v["s"].StringValue != "ü" || *v["i"].IntValue != 1<<60 || !*v["b"].BoolValue || *v["f"].DoubleValue != 0.5 || *v["l"].ArrayValue.Values[1].StringValue != "y" || *v["other"].StringValue != "[1]" {
		t.Errorf("the attributes are %+v", s.Attributes)
	}
	if len(s.Events) != 1 || s.Events[0].Name != "happened" || s.Events[0].TimeUnixNano == 0 || *s.Events[0].Attributes[0].Value.StringValue != "v" {
		t.Errorf("the events are %+v", s.Events)
	}
}

func TestTriesAgain(t *testing.T) {
	for _, test := range []struct {
		statuses []int
		said     string
		requests int
		took     time.Duration
		failure  string
	}{
		{[]int{503, 429}, "", 3, 3 * time.Second, ""},
		{[]int{503, 503, 503, 503, 503}, "", 4, 7 * time.Second, "Service Unavailable"},
		{[]int{400}, "", 1, 0, "Bad Request"},
		{nil, `{"partialSuccess": {"rejectedSpans": "1", "errorMessage": "too old"}}`, 1, 0, "rejected 1 spans: too old"},
		{nil, `{"partialSuccess": {}}`, 1, 0, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &collector{statuses: test.statuses, said: test.said}
			err := export(t, c)
			if len(c.requests) != test.requests || c.times[len(c.times)-1].Sub(c.times[0]) != test.took {
				t.Errorf("%v: %d requests in %v", test.statuses, len(c.requests), c.times)
			}
			if (err == nil) != (test.failure == "") || err != nil && !strings.Contains(err.Error(), test.failure) {
				t.Errorf("%v: %v, want %q", test.statuses, err, test.failure)
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, test := range []struct{ endpoint, headers string }{{"collector:4318", ""}, {"/v1/traces", ""}, {"ftp://a", ""}, {"http://a", "name"}, {"http://a", "a=%zz"}} {
		if _, err := New(test.endpoint, test.headers); err == nil {
			t.Errorf("%+v is accepted", test)
		}
	}
}
