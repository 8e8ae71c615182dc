package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
)

// isOperation reports whether a path is for whoever runs the server: it has no key, and may
// have an address of its own.
func isOperation(path string) bool {
	return path == "/metrics" || strings.HasPrefix(path, "/health/")
}

// serveOperation answers on the second address, if there is one, until stop is called.
func (s *Server) serveOperation(ctx context.Context) (stop func(), err error) {
	if s.config.OperationListen == "" {
		return func() {}, nil
	}
	listener, err := Listen(ctx, "operation-listen", s.config.OperationListen)
	if err != nil {
		return nil, err
	}
	hs := s.httpServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.operation) }))
	go func() { _ = hs.Serve(listener) }() // ends when it is closed
	s.log.Info("serving operation", "address", listener.Addr().String())
	return func() { _ = hs.Close() }, nil
}

// httpServer is a server with the limits of the settings.
func (s *Server) httpServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: s.config.HeaderTimeout, ReadTimeout: s.config.ReadTimeout,
		WriteTimeout: s.config.WriteTimeout, IdleTimeout: s.config.IdleTimeout,
		MaxHeaderBytes: 16 << 10,
		ConnContext:    withConn,
		ErrorLog:       slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
}
