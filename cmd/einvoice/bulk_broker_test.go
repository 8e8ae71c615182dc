package main

import (
	"encoding/json"
	"fmt"
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

// freePorts are ports that nobody listens on.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
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
		for n := 0; ; n++ {
			if c, err := net.Dial("tcp", host); err == nil {
				_ = c.Close()
				break
			}
			if n == 600 {
				t.Fatalf("nobody listens on %s", host)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}
