//go:build machines

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// brokerSettings is the variable that makes a process of the tests a server of NATS.
const brokerSettings = "EINVOICE_TEST_BROKER"

type brokerOptions struct {
	Name         string
	Store        string
	Port         int
	ClusterPort  int   // 0 for a server of its own
	ClusterPorts []int // of all
}

// serveBroker is a server of NATS, until it is killed.
func serveBroker(settings string) {
	var o brokerOptions
	if err := json.Unmarshal([]byte(settings), &o); err != nil {
		panic(err)
	}
	options := &server.Options{ServerName: o.Name, Host: "127.0.0.1", Port: o.Port, JetStream: true, StoreDir: o.Store, NoLog: true, NoSigs: true}
	if o.ClusterPort != 0 {
		options.Cluster = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: o.ClusterPort}
		for _, port := range o.ClusterPorts {
			if port != o.ClusterPort {
				options.Routes = append(options.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
			}
		}
	}
	s, err := server.NewServer(options)
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
	os.Exit(0)
}

// freePorts are ports that nobody listens on. They are below those that systems give to
// connections, because a broker that was killed has to find its port free.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	const lowest, highest = 10_000, 32_000
	for tries := 0; len(ports) < n; tries++ {
		port := lowest + rand.IntN(highest-lowest)
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			defer l.Close()
			ports = append(ports, port)
		} else if tries == 1000 {
			t.Fatal(err)
		}
	}
	return ports
}

// brokers are the settings of one server, or of a cluster of several, and the address.
func brokers(t testing.TB, dir string, n int) (all []string, address string) {
	t.Helper()
	ports := freePorts(t, 2*n)
	var urls []string
	for i := range n {
		o := brokerOptions{Name: fmt.Sprint("n", i), Store: filepath.Join(dir, fmt.Sprint("broker", i)), Port: ports[i]}
		if n > 1 {
			o.ClusterPort, o.ClusterPorts = ports[n+i], ports[n:]
		}
		settings, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		all, urls = append(all, string(settings)), append(urls, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return all, strings.Join(urls, ",")
}

// listening waits until a port is answered.
func listening(t testing.TB, address string) {
	t.Helper()
	for one := range strings.SplitSeq(address, ",") {
		host := strings.TrimPrefix(one, "nats://")
		until(t, "somebody listens on "+host, func() bool {
			c, err := net.Dial("tcp", host)
			return err == nil && c.Close() == nil
		})
	}
}

// until waits for what has to happen; its end is a guard against a test that hangs.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it did not happen: %s", what)
}
