package server

import (
	"context"
	"net/http"
	"os"

	"einvoice/server/otlp"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// traced wraps the server with OpenTelemetry when an endpoint is configured, and
// says how to hand in what is left at the end.
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
	h = otelhttp.NewHandler(s, "einvoice",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})))
	return h, provider.Shutdown, nil
}
