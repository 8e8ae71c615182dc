package server_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/server"
)

func TestConfigCheck(t *testing.T) {
	if c := server.DefaultConfig(); c.Check() != nil {
		t.Errorf("the default settings are refused: %v", c.Check())
	}
	sources := t.TempDir()
	for says, change := range map[string]func(*server.Config){
		"not of the form host:port":                                 func(c *server.Config) { c.Listen = "8080" },
		"no-auth and keys contradict":                               func(c *server.Config) { c.NoAuth, c.KeysFile = true, "keys" },
		`listen is "0.0.0.0:8080"`:                                  func(c *server.Config) { c.NoAuth, c.Listen = true, "0.0.0.0:8080" },
		`listen is ":8080"`:                                         func(c *server.Config) { c.NoAuth, c.Listen = true, ":8080" },
		`listen is "localhost:8080"`:                                func(c *server.Config) { c.NoAuth, c.Listen = true, "localhost:8080" },
		"max-body must be more":                                     func(c *server.Config) { c.MaxBody = 0 },
		`hosts: "a/b" is not`:                                       func(c *server.Config) { c.Hosts = []string{"erp.example", "a/b"} },
		`hosts: "erp.example:8443" is not`:                          func(c *server.Config) { c.Hosts = []string{"erp.example:8443"} },
		`hosts: "*" is not`:                                         func(c *server.Config) { c.Hosts = []string{"*"} },
		`hosts: "https://erp.example" is not`:                       func(c *server.Config) { c.Hosts = []string{"https://erp.example"} },
		"max-parts must be more":                                    func(c *server.Config) { c.MaxParts = -1 },
		"reload-interval must be more":                              func(c *server.Config) { c.ReloadInterval = 0 },
		"must not be negative":                                      func(c *server.Config) { c.DrainDelay = -1 },
		"is less than 65536":                                        func(c *server.Config) { c.MaxBody = 10_000 },
		"leaves no room":                                            func(c *server.Config) { c.MaxMemory = c.MaxBody },
		"cannot be reached":                                         func(c *server.Config) { c.MaxValidations = c.MaxRequests + 1 },
		"with a rate burst must be 1":                               func(c *server.Config) { c.Burst = 0 },
		"no-auth does not go with publish-":                         func(c *server.Config) { c.NoAuth, c.PublishApproval = true, true },
		"no-auth does not go with publish-approval and publish-key": func(c *server.Config) { c.NoAuth, c.PublishKey = true, "key.pem" },
		"rate must be a number of 0":                                func(c *server.Config) { c.Rate = math.NaN() },
		"key-work must be a number of 0":                            func(c *server.Config) { c.KeyWork = math.Inf(1) },
		"header-timeout (1m0s) is longer":                           func(c *server.Config) { c.HeaderTimeout = time.Minute },
		"write-timeout (10s) must cover":                            func(c *server.Config) { c.WriteTimeout = 10 * time.Second },
		"is not an http or https address":                           func(c *server.Config) { c.TraceEndpoint = "collector:4318" },
		"queue-wait and drain-delay must":                           func(c *server.Config) { c.QueueWait = -time.Second },
		"shutdown-timeout must be more than":                        func(c *server.Config) { c.ShutdownTimeout = 0 },
		"bulk-sources needs bulk-results":                           func(c *server.Config) { c.BulkSources = sources },
		"one of bulk-results and bulk-sources is inside the other": func(c *server.Config) {
			c.BulkSources, c.BulkResults = sources, filepath.Join(sources, "2025", "results")
		},
		"bulk-sources is inside the other":   func(c *server.Config) { c.BulkSources, c.BulkResults = sources, filepath.Dir(sources) },
		"no-auth and tenants contradict":     func(c *server.Config) { c.NoAuth, c.Tenants = true, "tenants.yaml" },
		"tenants needs keys":                 func(c *server.Config) { c.Tenants = "tenants.yaml" },
		"rulesets: there is no folder none;": func(c *server.Config) { c.RulesetsDir = "none" },
		"archive: there is no folder none;":  func(c *server.Config) { c.Archive = "none" },
		"looks: there is no folder none;":    func(c *server.Config) { c.Looks = "none" },
		"fonts: there is no folder none;":    func(c *server.Config) { c.Fonts = "none" },
		"fonts: config_test.go is a file":    func(c *server.Config) { c.Fonts = "config_test.go" },
		"bulk-results: config_test.go is a":  func(c *server.Config) { c.BulkSources, c.BulkResults = sources, "config_test.go" },
		"bulk-sources: there is no folder":   func(c *server.Config) { c.BulkSources, c.BulkResults = "none", "results" },
	} {
		c := server.DefaultConfig()
		change(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
		if _, err := server.New(c, nil); err == nil {
			t.Errorf("a server starts although: %s", says)
		}
	}
	both := server.DefaultConfig()
	both.Listen, both.MaxBody = "x", 0
	if err := both.Check(); strings.Count(err.Error(), "\n") < 1 {
		t.Errorf("only the first fault is told: %v", err)
	}
}
