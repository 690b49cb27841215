package workers

import (
	"crypto/tls"
	"net"
	"net/url"
	"slices"
)

// Addresses returns the addresses by which workers reach the server, the most useful one first. A server with a
// certificate has those of the certificate's names. A server for all addresses of this machine has those of its
// networks. There is at least one.
func (s *Server) Addresses(c Credentials) (all []string) {
	u, err := url.Parse(s.url)
	if err != nil {
		return []string{s.url}
	}
	scheme := ""
	var hosts []string
	if c.Encrypted() {
		scheme = "tls://"
		if pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key); err == nil {
			hosts = pair.Leaf.DNSNames
		}
	}
	if ip := net.ParseIP(u.Hostname()); len(hosts) == 0 && ip != nil && ip.IsUnspecified() {
		hosts = networkAddresses()
	}
	if len(hosts) == 0 {
		hosts = []string{u.Hostname()}
	}
	for _, host := range hosts {
		all = append(all, scheme+net.JoinHostPort(host, u.Port()))
	}
	return all
}

// networkAddresses returns the addresses of this machine in its networks, those of IPv4 first.
func networkAddresses() []string {
	addresses, _ := net.InterfaceAddrs() // if it fails, there are none
	var four, six []string
	for _, address := range addresses {
		network, ok := address.(*net.IPNet)
		switch {
		case !ok || !network.IP.IsGlobalUnicast():
		case network.IP.To4() != nil:
			four = append(four, network.IP.String())
		default:
			six = append(six, network.IP.String())
		}
	}
	return slices.Concat(four, six)
}
