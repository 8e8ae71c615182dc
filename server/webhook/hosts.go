// Package webhook tells others over HTTP that something has ended, signed as Standard Webhooks
// lays down, and only where the operator lets it.
package webhook

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// Hosts are where messages may go.
type Hosts struct {
	names  []string
	ranges []netip.Prefix
}

// ParseHosts reads a list of names of hosts, addresses and ranges of addresses.
func ParseHosts(list []string) (*Hosts, error) {
	h := &Hosts{}
	for _, text := range list {
		if address, err := netip.ParseAddr(text); err == nil {
			h.ranges = append(h.ranges, netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()))
			continue
		}
		if prefix, err := netip.ParsePrefix(text); err == nil {
			h.ranges = append(h.ranges, prefix.Masked())
			continue
		}
		if !IsName(text) {
			return nil, fmt.Errorf("%q is not a host; write a name such as erp.example, an address, or a range such as 10.1.0.0/16", text)
		}
		h.names = append(h.names, strings.ToLower(strings.TrimSuffix(text, ".")))
	}
	return h, nil
}

// IsName reports whether a text is the name of a host alone, without a scheme, a port, a path or *.
func IsName(text string) bool {
	u, err := url.Parse("http://" + text + "/")
	return err == nil && text != "" && u.Hostname() == text && !strings.Contains(text, "*")
}

// Check reports why no message may go to an address of the web.
func (h *Hosts) Check(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%.200q is not an address of a web server; write it as https://erp.example/path", text)
	}
	address, err := netip.ParseAddr(u.Hostname())
	literal := err == nil
	switch {
	case literal && !h.lists(address), !literal && !slices.Contains(h.names, strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))):
		return fmt.Errorf("the host %.100q is not among those of the setting webhook-hosts", u.Hostname())
	case u.Scheme == "http" && literal: // inside the operator's own network
		return nil
	case u.Scheme != "https":
		return fmt.Errorf("%.200q is not encrypted: begin it with https://", text)
	}
	return nil
}

func (h *Hosts) lists(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(h.ranges, func(p netip.Prefix) bool { return p.Contains(address) })
}

// special are ranges that lead to no other host of the internet, beside those that netip knows.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// isPublic reports whether an address is of a host of the internet.
func isPublic(address netip.Addr) bool {
	return address.IsGlobalUnicast() && !address.IsPrivate() &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(address) })
}

// control is asked with the address of each connection before it is made, when names are
// resolved already: so a name that leads to an inner address, now or on another day, leads
// nowhere.
func (h *Hosts) control(_, where string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(where)
	if err != nil {
		return err
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return err
	}
	if address = address.Unmap().WithZone(""); !h.lists(address) && !isPublic(address) {
		return fmt.Errorf("the address %s is not public, and not among those of the setting webhook-hosts", address)
	}
	return nil
}
