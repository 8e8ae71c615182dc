//go:build machines

package s3_test

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A fake is a server with one bucket that speaks as much of S3 as is used, and has trouble
// if it is told to.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string][]byte
	trouble float64       // how many of the requests fail in some way, from 0 to 1
	kinds   []string      // of trouble
	below   string        // the prefix of the objects that have it
	slow    time.Duration // how long a slow answer takes
	most    int           // how often requests about an object fail at most; 0 for any number
	random  *rand.Rand
	failed  map[string]int // by the kind of trouble
	failing map[string]int // by what the request is about
	denied  bool
	locked  bool              // whether the bucket has object lock
	retains map[string]string // how and until when objects are kept
	real    *realServer       // what keeps the objects in place of the fake; nil for none
}

// newFake is a fake, or, with -s3-server, a real server that is asked through it, so that it has the
// same trouble.
func newFake(t *testing.T, trouble float64) *fake { return newBucket(t, trouble, false) }

// newBucket is newFake, with a bucket that can keep objects until a day.
func newBucket(t *testing.T, trouble float64, locked bool) *fake {
	f := &fake{objects: map[string][]byte{}, trouble: trouble, kinds: troubles, slow: 50 * time.Millisecond, random: rand.New(rand.NewPCG(1, 2)), failed: map[string]int{}, failing: map[string]int{}, retains: map[string]string{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	f.real, f.locked = startReal(t, locked), locked
	t.Setenv("AWS_ENDPOINT_URL", f.URL)
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", realKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", realSecret)
	return f
}

func (f *fake) set(key string, data []byte) {
	if f.real != nil {
		f.real.set(key, data)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[key] = data
}

func (f *fake) remove(key string) {
	if f.real != nil {
		f.real.remove(key)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.objects, key)
}

// retained says how and until when an object is kept.
func (f *fake) retained(key string) string {
	if f.real != nil {
		return f.real.retained(key)
	}
	return f.retains[key]
}

// keys are those of all objects.
func (f *fake) keys() []string {
	if f.real != nil {
		return f.real.keys()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.objects))
}

func (f *fake) get(key string) ([]byte, bool) {
	if f.real != nil {
		return f.real.get(key)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	data, has := f.objects[key]
	return data, has
}

// troubles are all kinds of trouble: answers that refuse, that come late, of which half comes,
// and that nobody hears of.
var troubles = []string{"500", "503", "slow", "half", "lost"}

// goesWrong picks the trouble of a request about an object, or those below a prefix; "" for none.
func (f *fake) goesWrong(prefix string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.denied {
		return "403"
	}
	if !strings.HasPrefix(prefix, f.below) || f.random.Float64() >= f.trouble {
		return ""
	}
	kind := f.kinds[f.random.IntN(len(f.kinds))]
	if f.most > 0 && f.failing[prefix] >= f.most {
		return ""
	}
	f.failing[prefix]++
	f.failed[kind]++
	return kind
}

// deny refuses all requests, as with credentials that are over.
func (f *fake) deny(denied bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.denied = denied
}

func etagOf(data []byte) string {
	sum := md5.Sum(data)
	return hex.EncodeToString(sum[:])
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/bucket"), "/")
	trouble := f.goesWrong(key + r.URL.Query().Get("prefix"))
	switch trouble {
	case "403":
		refuse(w, http.StatusForbidden, "ExpiredToken")
		return
	case "500":
		refuse(w, http.StatusInternalServerError, "InternalError")
		return
	case "503":
		refuse(w, http.StatusServiceUnavailable, "SlowDown")
		return
	case "slow":
		select {
		case <-time.After(f.slow):
		case <-r.Context().Done(): // whoever asked gave up
		}
	}
	if f.real != nil {
		f.real.pass(w, r, trouble)
		return
	}
	if r.URL.Query().Has("location") {
		_, _ = io.WriteString(w, `<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">eu-central-1</LocationConstraint>`)
		return
	}
	if r.URL.Query().Has("object-lock") {
		if !f.locked {
			refuse(w, http.StatusNotFound, "ObjectLockConfigurationNotFoundError")
			return
		}
		_, _ = io.WriteString(w, `<ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>`)
		return
	}
	if r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2" {
		f.list(w, r)
		return
	}
	data, has := f.get(key)
	switch r.Method {
	case http.MethodPut:
		f.put(w, r, key, trouble)
	case http.MethodDelete:
		f.mu.Lock()
		delete(f.objects, key)
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		if !has {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		if want := strings.Trim(r.Header.Get("If-Match"), `"`); want != "" && want != etagOf(data) {
			refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
			return
		}
		w.Header().Set("ETag", `"`+etagOf(data)+`"`)
		w.Header().Set("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT")
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		if r.Method == http.MethodHead {
			return
		}
		if trouble == "lost" || trouble == "half" && len(data) > 1 {
			if trouble == "half" {
				_, _ = w.Write(data[:len(data)/2])
			}
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(data)
	}
}

func (f *fake) put(w http.ResponseWriter, r *http.Request, key, trouble string) {
	data, err := io.ReadAll(r.Body)
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		data, err = unchunked(data)
	}
	if err != nil || trouble == "half" {
		refuse(w, http.StatusBadRequest, "RequestTimeout")
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	had, has := f.objects[key]
	if r.Header.Get("If-None-Match") == "*" && has || r.Header.Get("If-Match") != "" && (!has || strings.Trim(r.Header.Get("If-Match"), `"`) != etagOf(had)) {
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		return
	}
	f.objects[key] = data
	if mode := r.Header.Get("X-Amz-Object-Lock-Mode"); mode != "" {
		f.retains[key] = mode + " " + r.Header.Get("X-Amz-Object-Lock-Retain-Until-Date")
	}
	if trouble == "lost" { // it is written, and nobody hears of it
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("ETag", `"`+etagOf(data)+`"`)
}

// unchunked undoes the chunks in which a signed body is sent.
func unchunked(body []byte) ([]byte, error) {
	var out []byte
	for r := bufio.NewReader(bytes.NewReader(body)); ; {
		head, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(strings.TrimSpace(head), ";")
		size, err := strconv.ParseInt(digits, 16, 64)
		if err != nil || size == 0 {
			return out, err
		}
		chunk := make([]byte, size+2)
		if _, err := io.ReadFull(r, chunk); err != nil {
			return nil, err
		}
		out = append(out, chunk[:size]...)
	}
}

func (f *fake) list(w http.ResponseWriter, r *http.Request) {
	const most = 100
	type object struct{ Key, LastModified, ETag, Size string }
	type result struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []object
	}
	q := r.URL.Query()
	after := q.Get("start-after")
	if token := q.Get("continuation-token"); token != "" {
		after = token
	}
	var out result
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(f.objects)) {
		if key <= after || !strings.HasPrefix(key, q.Get("prefix")) {
			continue
		}
		if len(out.Contents) == most {
			out.IsTruncated, out.NextContinuationToken = true, out.Contents[most-1].Key
			break
		}
		data := f.objects[key]
		out.Contents = append(out.Contents, object{key, "2026-11-02T10:00:00.000Z", `"` + etagOf(data) + `"`, strconv.Itoa(len(data))})
	}
	_ = xml.NewEncoder(w).Encode(out)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>trouble</Message></Error>")
}
