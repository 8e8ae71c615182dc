package deploy_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"einvoice/server"

	"gopkg.in/yaml.v3"
)

// sizes are those of sizes.yaml.
type sizes struct {
	Memory     string `yaml:"memory"`
	GoMemLimit string `yaml:"goMemLimit"`
	MaxMemory  string `yaml:"maxMemory"`
	MaxBody    string `yaml:"maxBody"`
	Process    string `yaml:"process"`
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// bytesOf is a size such as 640MiB or 1GiB in bytes.
func bytesOf(t *testing.T, size string) int64 {
	t.Helper()
	for unit, bytes := range map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30} {
		if number, ok := strings.CutSuffix(size, unit); ok {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				return n * bytes
			}
		}
	}
	t.Fatalf("%q is not a size", size)
	return 0
}

// The sizes of the deployments are the same everywhere, and fit together.
func TestSizes(t *testing.T) {
	var s sizes
	decoder := yaml.NewDecoder(strings.NewReader(readFile(t, "sizes.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&s); err != nil {
		t.Fatal(err)
	}
	short := strings.TrimSuffix(s.Memory, "iB")
	for file, wants := range map[string][]string{
		"einvoice.service":           {"MemoryMax=" + short + "\n", "GOMEMLIMIT=" + s.GoMemLimit + "\n", "EINVOICE_MAX_MEMORY=" + s.MaxMemory + "\n", "EINVOICE_MAX_BODY=" + s.MaxBody + "\n"},
		"kubernetes/deployment.yaml": {"limits: {memory: " + short + "i}", "GOMEMLIMIT, value: " + s.GoMemLimit + "}", "EINVOICE_MAX_MEMORY, value: " + s.MaxMemory + "}", "EINVOICE_MAX_BODY, value: " + s.MaxBody + "}"},
		"helm/einvoice/values.yaml":  {"memory: " + short + "i\n", "goMemLimit: " + s.GoMemLimit + "\n", "maxMemory: " + s.MaxMemory + "\n", "maxBody: " + s.MaxBody + "\n"},
		"../docs/service.md":         {"a process of " + s.Memory + " with `GOMEMLIMIT` " + s.GoMemLimit + ", `max-memory` " + s.MaxMemory + " and `max-body` " + s.MaxBody},
	} {
		text := readFile(t, file)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not have %q", file, want)
			}
		}
	}
	if needs := bytesOf(t, s.Process) + bytesOf(t, s.MaxMemory); needs > bytesOf(t, s.GoMemLimit) {
		t.Errorf("the process and its requests take %d bytes, more than GOMEMLIMIT", needs)
	}
	if bytesOf(t, s.GoMemLimit) > bytesOf(t, s.Memory)/10*9 {
		t.Error("GOMEMLIMIT leaves less than a tenth for what Go does not count")
	}
	config := server.DefaultConfig()
	config.MaxMemory, config.MaxBody = bytesOf(t, s.MaxMemory), bytesOf(t, s.MaxBody)
	if err := config.Check(); err != nil {
		t.Error(err)
	}
}
