package server

import (
	"context"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"einvoice/server/keys"
	"einvoice/server/otlp"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	spans "go.opentelemetry.io/otel/trace"
)

// traced wraps the server with a span for each request when an endpoint is configured, and
// says how to send what is left at the end.
func (s *Server) traced() (h http.Handler, flush func(context.Context) error, err error) {
	if s.config.TraceEndpoint == "" {
		return s, func(context.Context) error { return nil }, nil
	}
	exporter, err := otlp.New(s.config.TraceEndpoint, os.Getenv("OTEL_EXPORTER_OTLP_HEADERS"))
	if err != nil {
		return nil, nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { s.log.Warn("traces", "error", err.Error()) }))
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithResource(resource.NewSchemaless(attribute.String("service.name", "einvoice"), attribute.String("service.version", Version))),
	)
	tracer, caller := provider.Tracer("einvoice/server"), propagation.TraceContext{}
	h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := caller.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(ctx, "einvoice", spans.WithSpanKind(spans.SpanKindServer))
		defer span.End()
		s.ServeHTTP(w, r.WithContext(ctx))
	})
	return h, provider.Shutdown, nil
}

// knownMethods are those that a span may have; of others there is no end.
var knownMethods = []string{http.MethodConnect, http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPatch, http.MethodPost, http.MethodPut, http.MethodTrace}

// trace tells the span of an exchange what OpenTelemetry's conventions for HTTP have, and what
// the log has. It returns the name of the trace; "" where there is none.
func (x *exchange) trace() string {
	r := x.request
	span := spans.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return ""
	}
	span.SetName(r.Method + " " + x.route)
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if slices.Contains(knownMethods, r.Method) {
		span.SetAttributes(attribute.String("http.request.method", r.Method))
	} else {
		span.SetAttributes(attribute.String("http.request.method", "_OTHER"), attribute.String("http.request.method_original", r.Method))
	}
	peer := keys.AddressOf(r.RemoteAddr)
	client := keys.ForwardedFor(r)
	if !client.IsValid() {
		client = peer
	}
	span.SetAttributes(
		attribute.String("http.route", x.route), attribute.String("url.scheme", scheme), attribute.String("url.path", r.URL.Path),
		attribute.String("client.address", client.String()),
		attribute.String("user_agent.original", r.UserAgent()), attribute.String("network.protocol.version", strings.TrimPrefix(r.Proto, "HTTP/")),
		attribute.Int("http.response.status_code", x.status), attribute.Int64("http.request.body.size", x.received()), attribute.Int64("http.response.body.size", x.written),
		attribute.String("einvoice.request_id", x.id),
	)
	span.SetAttributes(addressAttributes("server", r.Host)...)
	span.SetAttributes(addressAttributes("network.peer", r.RemoteAddr)...)
	if x.errorCode != "" {
		span.SetAttributes(attribute.String("einvoice.error_code", x.errorCode))
	}
	if x.status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	return span.SpanContext().TraceID().String()
}

// addressAttributes are the host and the port of an address, which may have none.
func addressAttributes(of, address string) []attribute.KeyValue {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	all := []attribute.KeyValue{attribute.String(of+".address", host)}
	if n, err := strconv.Atoi(port); err == nil {
		all = append(all, attribute.Int(of+".port", n))
	}
	return all
}
