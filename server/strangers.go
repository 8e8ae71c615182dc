package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"golang.org/x/time/rate"
)

// Wrong keys an address may send: so many at once, and so many a second after that.
const (
	wrongKeysAtOnce   = 20
	wrongKeysASecond  = 1
	mostStrangers     = 10_000 // addresses that are told apart
	networkBitsOfIPv6 = 64     // whoever has one address of IPv6 has the whole network
)

// strangers slows down whoever sends wrong keys, by address. Behind a proxy all have the
// address of the proxy; keys that are right are never slowed.
type strangers struct {
	mu       sync.Mutex
	limiters map[netip.Addr]*rate.Limiter
	others   *rate.Limiter // of all addresses beyond mostStrangers
}

func newStrangers() *strangers {
	return &strangers{limiters: map[netip.Addr]*rate.Limiter{}, others: rate.NewLimiter(wrongKeysASecond, wrongKeysAtOnce)}
}

// wrong counts a wrong key. It is false, with the seconds to wait, where there were too
// many.
func (s *strangers) wrong(address netip.Addr) (wait int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.limiters[address]
	if l == nil {
		if len(s.limiters) >= mostStrangers {
			s.forget()
		}
		if len(s.limiters) >= mostStrangers {
			return admit(s.others)
		}
		l = rate.NewLimiter(wrongKeysASecond, wrongKeysAtOnce)
		s.limiters[address] = l
	}
	return admit(l)
}

// forget removes the addresses that have not sent wrong keys for a while.
func (s *strangers) forget() {
	for address, l := range s.limiters {
		if l.Tokens() >= wrongKeysAtOnce {
			delete(s.limiters, address)
		}
	}
}

// forwardedFor is the address that the proxy before this server names, which is the last one
// in the header; invalid without one. A client without a proxy can claim any.
func forwardedFor(r *http.Request) netip.Addr {
	values := r.Header.Values("X-Forwarded-For")
	if len(values) == 0 {
		return netip.Addr{}
	}
	all := strings.Split(values[len(values)-1], ",")
	last := strings.TrimSpace(all[len(all)-1])
	if _, err := netip.ParseAddr(last); err == nil {
		last = net.JoinHostPort(last, "0")
	}
	return addressOf(last)
}

// addressOf is the address that a request came from; of IPv6, its network.
func addressOf(remote string) netip.Addr {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	if address = address.Unmap().WithZone(""); address.Is6() {
		if network, err := address.Prefix(networkBitsOfIPv6); err == nil {
			return network.Addr()
		}
	}
	return address
}
