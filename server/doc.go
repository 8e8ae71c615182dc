// Package server is the HTTP API of the validator.
//
//	s, err := server.New(server.DefaultConfig(), slog.Default())
//	listener, err := net.Listen("tcp", s.Config().Listen)
//	err = s.Serve(ctx, listener) // until ctx ends and the last request is answered
//
// One Server has the routes, the keys, the limits and the rulesets that are in
// force. Handlers take an exchange and return an error; a Problem says which
// errorCode the client sees, and anything else is a fault of ours. Nothing is
// kept between requests, so that more load is a matter of more processes.
package server
