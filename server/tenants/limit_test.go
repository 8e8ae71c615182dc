package tenants_test

import (
	"strings"
	"testing"

	"einvoice/server/tenants"
)

// A limit of 0 looks as if nothing were allowed, or kept, and would be none. The error names the
// line and the value.
func TestLimitsAreOneOrMore(t *testing.T) {
	for _, key := range []string{"jobs", "keepDays"} {
		for _, limit := range []string{"0", "-1", "many"} {
			_, err := tenants.Parse([]byte("tenants:\n  acme: {keys: [a], " + key + ": " + limit + "}\n"))
			if err == nil || !strings.Contains(err.Error(), `line 2: "`+limit+`" is not a limit: write a whole number of 1 or more`) {
				t.Errorf("%s: %s: %v", key, limit, err)
			}
		}
	}
	if all, err := tenants.Parse([]byte("tenants:\n  acme: {keys: [a], jobs: 3, keepDays: 4}\n")); err != nil || all[0].Jobs != 3 || all[0].KeepDays != 4 {
		t.Errorf("jobs: 3, keepDays: 4: %v, %v", all, err)
	}
}
