//go:build machines

package s3_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

var (
	realProgram = flag.String("s3-server", "", "program of a real server of S3 that keeps the objects in place of the fake: "+serverNames())
	realLocked  = flag.Bool("s3-locked", false, "buckets of the real server have object lock, and so versions")
)

const (
	realKey    = "keykeykey"
	realSecret = "secretsecret"
	realRegion = "eu-central-1"
)

// starting is how the servers are started that the tests know, by the names of their programs.
var starting = map[string]func(program, folder, port string) *exec.Cmd{
	"versitygw": func(program, folder, port string) *exec.Cmd {
		return exec.Command(program, "--quiet", "--port", "127.0.0.1:"+port, "--region", realRegion, "posix", "--versioning-dir", filepath.Join(folder, "versions"), filepath.Join(folder, "objects"))
	},
	"minio": func(program, folder, port string) *exec.Cmd {
		return exec.Command(program, "server", "--quiet", "--address", "127.0.0.1:"+port, "--certs-dir", filepath.Join(folder, "versions"), filepath.Join(folder, "objects"))
	},
}

func serverNames() (names string) {
	for name := range starting {
		names += name + " "
	}
	return names
}

// A realServer is a program that speaks S3 and keeps the objects of one test.
type realServer struct {
	t       *testing.T
	address string
	client  *minio.Client
}

// startReal starts the real server with one bucket; nil if none was named.
func startReal(t *testing.T, locked bool) *realServer {
	t.Helper()
	if *realProgram == "" {
		return nil
	}
	start, known := starting[filepath.Base(*realProgram)]
	if !known {
		t.Fatalf("how %s is started is not known; known are %s", *realProgram, serverNames())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	folder := t.TempDir()
	for _, name := range []string{"objects", "versions"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program := start(*realProgram, folder, port)
	program.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+realKey, "ROOT_SECRET_KEY="+realSecret, // as the gateway reads them, and MinIO
		"MINIO_ROOT_USER="+realKey, "MINIO_ROOT_PASSWORD="+realSecret, "MINIO_SITE_REGION="+realRegion, "MINIO_BROWSER=off", "MINIO_UPDATE=off")
	var said bytes.Buffer
	program.Stdout, program.Stderr = &said, &said
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	s := &realServer{t: t, address: "127.0.0.1:" + port}
	s.client, err = minio.New(s.address, &minio.Options{Creds: credentials.NewStaticV4(realKey, realSecret, ""), Region: realRegion})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		err := s.client.MakeBucket(t.Context(), "bucket", minio.MakeBucketOptions{ObjectLocking: locked || *realLocked})
		if err == nil {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s makes no bucket: %v\n%s", *realProgram, err, said.String())
		}
	}
}

func (s *realServer) set(key string, data []byte) {
	if _, err := s.client.PutObject(context.Background(), "bucket", key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{}); err != nil {
		s.t.Error(err)
	}
}

func (s *realServer) get(key string) (data []byte, has bool) {
	o, err := s.client.GetObject(context.Background(), "bucket", key, minio.GetObjectOptions{})
	if err == nil {
		data, err = io.ReadAll(o)
	}
	if err != nil && minio.ToErrorResponse(err).StatusCode != http.StatusNotFound {
		s.t.Error(err)
	}
	return data, err == nil
}

func (s *realServer) remove(key string) {
	if err := s.client.RemoveObject(context.Background(), "bucket", key, minio.RemoveObjectOptions{}); err != nil {
		s.t.Error(err)
	}
}

func (s *realServer) keys() (keys []string) {
	for o := range s.client.ListObjects(context.Background(), "bucket", minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			s.t.Error(o.Err)
			break
		}
		keys = append(keys, o.Key)
	}
	return keys
}

// retained says how and until when an object is kept, and tries to remove it.
func (s *realServer) retained(key string) string {
	o, err := s.client.StatObject(context.Background(), "bucket", key, minio.StatObjectOptions{})
	if err != nil {
		return err.Error()
	}
	if err := s.client.RemoveObject(context.Background(), "bucket", key, minio.RemoveObjectOptions{VersionID: o.VersionID, GovernanceBypass: true}); err == nil || o.VersionID == "" {
		return "nothing: version " + o.VersionID + " was removed"
	}
	until, err := time.Parse(time.RFC3339, o.Metadata.Get("X-Amz-Object-Lock-Retain-Until-Date"))
	if err != nil {
		return err.Error()
	}
	return o.Metadata.Get("X-Amz-Object-Lock-Mode") + " " + until.UTC().Format(time.RFC3339)
}

// pass hands a request on as it was signed, and its answer back, with the trouble that it is to have.
func (s *realServer) pass(w http.ResponseWriter, r *http.Request, trouble string) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method == http.MethodPut && trouble == "half" {
		refuse(w, http.StatusBadRequest, "RequestTimeout")
		return
	}
	asked := r.Clone(context.WithoutCancel(r.Context())) // what is lost is done nevertheless
	asked.URL.Scheme, asked.URL.Host, asked.RequestURI = "http", s.address, ""
	asked.Body, asked.ContentLength, asked.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	answer, err := http.DefaultTransport.RoundTrip(asked)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil || trouble == "lost" && r.Method != http.MethodHead && r.Method != http.MethodDelete {
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	if trouble == "half" && len(data) > 1 {
		_, _ = w.Write(data[:len(data)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(data)
}
