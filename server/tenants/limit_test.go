package tenants_test

import (
	"strings"
	"testing"

	"einvoice/server/tenants"
)

// Jobs of 0 look as if none were allowed, and would be any number. The error names the line.
func TestJobsAreOneOrMore(t *testing.T) {
	for _, jobs := range []string{"0", "-1", "many"} {
		_, err := tenants.Parse([]byte("tenants:\n  acme: {keys: [a], jobs: " + jobs + "}\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2: jobs: write a whole number of 1 or more") {
			t.Errorf("jobs: %s: %v", jobs, err)
		}
	}
	if all, err := tenants.Parse([]byte("tenants:\n  acme: {keys: [a], jobs: 3}\n")); err != nil || all[0].Jobs != 3 {
		t.Errorf("jobs: 3: %v, %v", all, err)
	}
}
