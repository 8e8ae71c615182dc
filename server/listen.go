package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"

	"einvoice/model/quote"
)

// CheckAddress returns an error for what is not the address (host:port) of a listener.
func CheckAddress(address string) error {
	if _, port, err := net.SplitHostPort(address); err == nil {
		if n, err := strconv.Atoi(port); err == nil && n >= 0 && n <= 65535 {
			return nil
		}
	}
	return errors.New("write host:port, such as 127.0.0.1:9090")
}

// Listen listens on an address. The error names the flag or setting that it is of, and what to
// give instead.
func Listen(ctx context.Context, of, address string) (net.Listener, error) {
	if err := CheckAddress(address); err != nil {
		return nil, fmt.Errorf("%s: %s is not an address: %w", of, quote.Value(address), err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case err == nil || ctx.Err() != nil:
		return listener, err
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: something listens on %s already; end it, or give another port", of, address)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: the program may not listen on %s; give a port of 1024 or more", of, address)
	}
	return nil, fmt.Errorf("%s: the program cannot listen on %s; give an address of this machine (%w)", of, address, err)
}
