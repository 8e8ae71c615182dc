package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/server"

	"github.com/spf13/pflag"
)

func settings() (f *pflag.FlagSet, config *server.Config) {
	c := server.DefaultConfig()
	f = pflag.NewFlagSet("serve", pflag.ContinueOnError)
	serveFlags(f, &c)
	return f, &c
}

// TestSettingsPage compares the table of docs/service.md with the flags.
func TestSettingsPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/service.md")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := settings()
	var rows strings.Builder
	f.VisitAll(func(flag *pflag.Flag) {
		value := flag.DefValue
		switch {
		case flag.Name == "max-validations":
			value = "processors" // of this machine
		case value == "":
			value = "none"
		}
		rows.WriteString("| `" + flag.Name + "` | " + value + " | " + strings.ReplaceAll(flag.Usage, "`", "") + " |\n")
	})
	if !strings.Contains(string(page), "| setting | default | meaning |\n| --- | --- | --- |\n"+rows.String()+"\n") {
		t.Errorf("the table of settings should be\n%s", rows.String())
	}
}

// TestDeploymentSettings sees that what deploy/ sets are settings, and that they
// can be used together.
func TestDeploymentSettings(t *testing.T) {
	name := regexp.MustCompile(`(EINVOICE_[A-Z_]+)(?:=|, value: "?)([^",}\s]+)`)
	seen := 0
	err := filepath.WalkDir("../../../deploy", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var environ []string
		for _, m := range name.FindAllStringSubmatch(string(data), -1) {
			if m[2] != "value" && m[2] != "{{" { // in a comment about the form, and of a template
				environ = append(environ, m[1]+"="+m[2])
			}
		}
		seen += len(environ)
		f, config := settings()
		if err := fromEnvironment(f, environ); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if err := config.Check(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil || seen < 6 {
		t.Errorf("%d settings were found, %v", seen, err)
	}
}

func TestFromEnvironment(t *testing.T) {
	f, config := settings()
	if err := f.Parse([]string{"--rate", "7"}); err != nil {
		t.Fatal(err)
	}
	err := fromEnvironment(f, []string{"EINVOICE_MAX_BODY=1MiB", "EINVOICE_RATE=9", "EINVOICE_NO_AUTH=true", "PATH=/bin", "EINVOICE_LOG_LEVEL=warn", "EINVOICE_DRAIN_DELAY=3s"})
	if err != nil {
		t.Fatal(err)
	}
	if config.MaxBody != 1<<20 || config.Rate != 7 || !config.NoAuth || config.LogLevel.String() != "WARN" || config.DrainDelay.Seconds() != 3 {
		t.Errorf("got %+v", config)
	}
	for _, bad := range []string{"EINVOICE_MAX_BODDY=1", "EINVOICE_MAX_BODY=much", "EINVOICE_BURST=1.5", "EINVOICE_PRINT_CONFIG=true", "EINVOICE_="} {
		f, _ := settings()
		if err := fromEnvironment(f, []string{bad}); err == nil || !strings.Contains(err.Error(), strings.SplitN(bad, "=", 2)[0]) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1": 1, "12B": 12, "2kB": 2000, "3MB": 3e6, "1GB": 1e9, "4KiB": 4096, "5 MiB": 5 << 20, "1GiB": 1 << 30} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%s gives %d, %v", text, b, err)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%s is written %s and read %d, %v", text, b.String(), again, err)
		}
	}
	for _, bad := range []string{"", "MiB", "-1", "1.5MiB", "1TiB", "x", "9223372036854775807KiB"} {
		var b byteSize
		if err := b.Set(bad); err == nil {
			t.Errorf("%q gives %d", bad, b)
		}
	}
}
