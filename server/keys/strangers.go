package keys

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

// Strangers slows down whoever sends wrong keys, by address. Behind a proxy all have the
// address of the proxy; keys that are right are never slowed.
type Strangers struct {
	mu       sync.Mutex
	limiters map[netip.Addr]*rate.Limiter
	others   *rate.Limiter // of all addresses beyond mostStrangers
}

// NewStrangers knows nobody yet.
func NewStrangers() *Strangers {
	return &Strangers{limiters: map[netip.Addr]*rate.Limiter{}, others: rate.NewLimiter(wrongKeysASecond, wrongKeysAtOnce)}
}

// Wrong counts a wrong key. It is false, with the seconds to wait, where there were too
// many.
func (s *Strangers) Wrong(address netip.Addr) (wait int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.limiters[address]
	if l == nil {
		if len(s.limiters) >= mostStrangers {
			s.forget()
		}
		if len(s.limiters) >= mostStrangers {
			return Admit(s.others)
		}
		l = rate.NewLimiter(wrongKeysASecond, wrongKeysAtOnce)
		s.limiters[address] = l
	}
	return Admit(l)
}

// forget removes the addresses that have not sent wrong keys for a while.
func (s *Strangers) forget() {
	for address, l := range s.limiters {
		if l.Tokens() >= wrongKeysAtOnce {
			delete(s.limiters, address)
		}
	}
}

// ForwardedFor is the address that the proxy before this server names, which is the last one
// in the header; invalid without one. A client without a proxy can claim any.
func ForwardedFor(r *http.Request) netip.Addr {
	values := r.Header.Values("X-Forwarded-For")
	if len(values) == 0 {
		return netip.Addr{}
	}
	all := strings.Split(values[len(values)-1], ",")
	last := strings.TrimSpace(all[len(all)-1])
	if _, err := netip.ParseAddr(last); err == nil {
		last = net.JoinHostPort(last, "0")
	}
	return AddressOf(last)
}

// AddressOf is the address that a request came from; of IPv6, its network.
func AddressOf(remote string) netip.Addr {
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
