package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"einvoice/server"

	"github.com/spf13/cobra"
)

func (m Machines) newServe() *cobra.Command {
	config := server.DefaultConfig()
	config.BulkFormats = m.Formats
	var print bool
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve all operations over HTTP",
		Long: `Serve is the HTTP API: validate, create, convert, transform, embed, render, extract
and parse under /v1; /docs describes these and more, and has calls to copy and to try.

Every setting is a flag or an environment variable: EINVOICE_ and the flag's name
in capitals, with _ for -. A flag wins. SIGHUP reads keys and rulesets again;
SIGTERM lets requests in flight finish.`,
		Example: `  einvoice serve
  einvoice serve --listen 0.0.0.0:8080 --keys /etc/einvoice/keys --rulesets /etc/einvoice/rules
  EINVOICE_RATE=20 einvoice serve --print-config`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd.Flags(), os.Environ()); err != nil {
				return err
			}
			if err := config.Check(); err != nil {
				return fmt.Errorf("settings: %w", err)
			}
			if print {
				return printConfig(cmd.OutOrStdout(), cmd.Flags())
			}
			return serve(cmd.Context(), config, cmd.ErrOrStderr())
		},
	}
	serveFlags(cmd.Flags(), &config)
	cmd.Flags().BoolVar(&print, "print-config", false, "print every setting with its value and where it is from, and stop")
	_ = cmd.MarkFlagDirname("rulesets")
	_ = cmd.MarkFlagFilename("keys")
	return cmd
}

// servedGarbage is how much garbage the service collects late, in percent of what is in use.
const servedGarbage = 40

// processMemory is what the service takes besides what requests take, with some room.
const processMemory = 256 << 20

func serve(ctx context.Context, config server.Config, stderr io.Writer) error {
	if config.RulesetsDir != "" { // the same words as every other command has for it
		if _, err := openFolder(config.RulesetsDir); err != nil {
			return err
		}
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(config.MaxMemory + processMemory)
	}
	// Most of what requests take is in other processes; what is left here is not kept until
	// the limit is near.
	debug.SetGCPercent(servedGarbage)
	config.Build = build()
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program itself, for processes to work in: %w", err)
	}
	config.Process = func() *exec.Cmd { return exec.Command(program, workCommand) }
	log := slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: config.LogLevel}))
	s, err := server.New(config, log)
	if err != nil {
		return err
	}
	listener, err := server.Listen(ctx, "listen", config.Listen)
	if err != nil {
		return err
	}
	if key := s.StartKey(); key != "" {
		fmt.Fprintf(stderr, "There is no key file (--keys), so this key works until the server stops, and is shown only here:\n\n  %s\n\n", key)
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangUps:
				s.Reload(ctx)
			}
		}
	}()
	return s.Serve(ctx, listener)
}
