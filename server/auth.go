package server

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"einvoice/server/keys"
	"einvoice/server/refusal"

	"golang.org/x/time/rate"
)

// authorized wraps the handlers of /v1: who asks, and how often.
func (s *Server) authorized(h handler) handler {
	return func(x *exchange) error {
		if err := s.authenticate(x); err != nil {
			return err
		}
		return h(x)
	}
}

func (s *Server) authenticate(x *exchange) error {
	limiter := s.anonymous
	if !s.config.NoAuth {
		values := x.request.Header.Values("Authorization")
		if len(values) == 0 {
			return newProblem(refusal.KeyMissing, "Send your API key as \"Authorization: Bearer <API_KEY>\".")
		}
		secret, ok := bearer(values)
		if !ok {
			return s.wrongKey(x, "The Authorization header must be given once and have the form \"Bearer <API_KEY>\".")
		}
		var key keys.Key
		if key, limiter, ok = s.keys.Verify(secret); !ok {
			return s.wrongKey(x, "The API key is unknown or was revoked.")
		}
		x.key, x.keyName = key.ID, key.Name
		x.mandatory, x.mayOmit = key.Overlays, key.MayOmit
		x.owner = key.ID
		if x.tenant = s.tenants.Of(key.ID); x.tenant != nil {
			x.owner, x.mandatory = x.tenant.Owner(), slices.Concat(key.Overlays, x.tenant.Overlays)
		}
		if key.HasExpired(time.Now()) {
			return newProblem(refusal.KeyInvalid, "The API key expired %s. Ask for another one.", key.Expires.Format(time.RFC3339))
		}
		if operation := keys.OperationOf(x.route); !key.May(operation) {
			return newProblem(refusal.KeyForbidden, "The API key is not for %s, but for %s. Use one that is.", operation, strings.Join(key.Operations, ", "))
		}
	}
	return s.pace(x, limiter)
}

// pace has a request wait for its turn by the rate of its key, as long as requests wait for a
// place to work, and tells clients of the rate by the header fields RateLimit-Policy and
// RateLimit (draft-ietf-httpapi-ratelimit-headers-10).
func (s *Server) pace(x *exchange, limiter *rate.Limiter) error {
	if s.config.Rate == 0 {
		return nil
	}
	delay, ok := keys.Pace(limiter, s.config.QueueWait)
	seconds := int(math.Ceil(delay.Seconds()))
	x.Header().Set("RateLimit-Policy", fmt.Sprintf(`"requests";q=%d;w=%d`, s.config.Burst, max(int(math.Ceil(float64(s.config.Burst)/s.config.Rate)), 1)))
	x.Header().Set("RateLimit", fmt.Sprintf(`"requests";r=%d;t=%d`, max(int(limiter.Tokens()), 0), seconds))
	if !ok {
		p := newProblem(refusal.RateLimited, "The rate of this key is %g requests a second with bursts of %d. Try again after %d s.", s.config.Rate, s.config.Burst, seconds)
		p.retryAfter = seconds
		return p
	}
	if delay == 0 {
		return nil
	}
	turn := time.NewTimer(delay)
	defer turn.Stop()
	select {
	case <-turn.C:
		return nil
	case <-x.request.Context().Done():
		return x.request.Context().Err()
	}
}

// wrongKey refuses a request with a wrong key. Its address is counted and logged.
func (s *Server) wrongKey(x *exchange, detail string) error {
	x.stranger = true
	if wait, ok := s.strangers.Wrong(keys.AddressOf(x.request.RemoteAddr)); !ok {
		p := newProblem(refusal.RateLimited, "Too many wrong keys came from this address. Try again after %d s, with a key that works.", wait)
		p.retryAfter = wait
		return p
	}
	return newProblem(refusal.KeyInvalid, "%s", detail)
}

// bearer takes the token out of the header. The scheme's name has no case.
func bearer(values []string) (token string, ok bool) {
	if len(values) != 1 {
		return "", false
	}
	scheme, token, found := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}
