package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"einvoice/server"

	"github.com/spf13/cobra"
)

// revision is that of the source, where the build has no version control to ask: a build
// of an image sets it.
var revision string

// build is what the program was built from, and with what.
func build() server.Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return server.Build{Version: "unknown", Revision: "unknown", GoVersion: runtime.Version()}
	}
	made, modified := revision, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && made == "":
			made = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	if made == "" {
		made = "unknown"
	}
	return server.Build{Version: info.Main.Version, Revision: made + modified, GoVersion: info.GoVersion}
}

// version says so in a line.
func version() string {
	b := build()
	return fmt.Sprintf("%s (revision %s, %s)", b.Version, b.Revision, b.GoVersion)
}

func newNotices() *cobra.Command {
	return &cobra.Command{
		Use:   "notices",
		Short: "Print the licences of everything that the program contains",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return printNotices(cmd) },
	}
}

func printNotices(cmd *cobra.Command) error {
	text, err := notices()
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}
