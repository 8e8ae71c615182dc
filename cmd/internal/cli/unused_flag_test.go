package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A flag that is for one way of running a command, as its help says, is told in each other way,
// and in no way that it is for.
func TestFlagsWithoutEffectAreTold(t *testing.T) {
	kept := t.TempDir()
	sample, err := os.ReadFile("../../einvoice/samples/cii-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(kept, "invoice.xml")
	if err := os.WriteFile(source, sample, 0o600); err != nil {
		t.Fatal(err)
	}
	told := 0
	newMustang().Flags().VisitAll(func(f *pflag.Flag) {
		of, _, some := strings.Cut(f.Usage, ": ")
		actions := strings.Fields(strings.NewReplacer(",", "", " and ", " ").Replace(strings.TrimPrefix(of, "for ")))
		if some = some && strings.HasPrefix(of, "for "); some != (f.Annotations[onlyWith] != nil) && !strings.Contains(f.Usage, "no effect") && !strings.Contains(f.Usage, "refused") {
			t.Errorf("--%s: %q, and the annotation is %q", f.Name, f.Usage, f.Annotations[onlyWith])
		}
		for action := range mustangActions {
			if f.Annotations[onlyWith] == nil {
				continue
			}
			cmd := newMustang()
			var said strings.Builder
			cmd.SetErr(&said)
			cmd.SetOut(io.Discard)
			value := map[string]string{"directory": t.TempDir(), "no-notices": "true", "language": "de"}[f.Name]
			if value == "" {
				value = "x"
			}
			args := []string{"--action", action, "--" + f.Name + "=" + value}
			if f.Name != "source" && strings.HasPrefix(action, "validate") && !strings.Contains(action, "Expect") {
				args = append(args, "--source", source)
			}
			cmd.SetArgs(args)
			_ = cmd.Execute() // many lack something
			has := strings.Contains(said.String(), "--"+f.Name+" has no effect with --action "+action)
			if has == slices.Contains(actions, action) {
				t.Errorf("--%s with --action %s is for %q: told %t", f.Name, action, actions, has)
			}
			if has {
				told++
			}
		}
	})
	if told < 50 {
		t.Errorf("%d combinations were told, too few to say anything", told)
	}
	for _, name := range []string{"host", "port", "threads", "disable-gui"} {
		args := []string{"kosit", "-o", kept, "--" + name + "=" + map[string]string{"host": "localhost", "disable-gui": "true"}[name], source}
		if strings.HasSuffix(args[3], "=") {
			args[3] += "2"
		}
		if got := output(t, args); !strings.Contains(got, "--"+name+" has no effect without -D") {
			t.Errorf("kosit --%s: %.300s", name, got)
		}
	}
	if got := output(t, []string{"kosit", "-o", kept, "--report-prefix", "a", source}); strings.Contains(got, "no effect") {
		t.Errorf("kosit --report-prefix: %.300s", got)
	}
}
