package cli

import (
	"fmt"
	"log/slog"
	"net"
	"strconv"

	"einvoice/server"
	"einvoice/service/kosit"

	"github.com/spf13/cobra"
)

// serve is the daemon: it answers until the program is told to stop.
func (o *kositOptions) serve(cmd *cobra.Command, c *kosit.Configuration, log *slog.Logger) error {
	config := server.DefaultConfig()
	config.Listen = net.JoinHostPort(o.host, strconv.Itoa(o.port))
	config.RulesetsDir = o.rulesets
	if o.threads > 0 {
		config.MaxValidations = o.threads
	}
	config.QueueWait = config.RequestTimeout // the daemon has a queue, too
	s, err := server.NewKosit(config, server.Kosit{Configuration: c, Page: !o.noInterface}, log)
	if err != nil {
		return &statusError{exitConfig, err}
	}
	listener, err := server.Listen(cmd.Context(), "-H, -P", config.Listen)
	if err != nil {
		return &statusError{exitConfig, err}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\nServing on http://%s\n", listener.Addr())
	return s.Serve(cmd.Context(), listener)
}
