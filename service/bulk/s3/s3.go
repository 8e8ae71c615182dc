// Package s3 has the documents and the results of bulk jobs in S3, or in what speaks its
// protocol. Requests that fail for a while are repeated; what cannot be told from a loss of
// the service is never told of a document.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Scheme is what the name of a place in S3 begins with, as in s3://bucket/prefix/.
const Scheme = "s3://"

// CodeName is the error of a name that is not a place in S3.
const CodeName = "BULK-S3"

// A place is a prefix of a bucket.
type place struct {
	client         *minio.Client
	bucket, prefix string
}

// open finds the bucket and the prefix of a name. The server is AWS_ENDPOINT_URL_S3 or
// AWS_ENDPOINT_URL, else that of Amazon; credentials are those of the environment, of the
// shared file, or of the machine, as Amazon's own tools find them.
func open(name string) (*place, error) {
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(name, Scheme), "/")
	if bucket == "" {
		return nil, &problem.Error{Code: CodeName, Message: name + " names no bucket", Remedy: "write it as s3://bucket/prefix"}
	}
	variable := "AWS_ENDPOINT_URL_S3"
	if os.Getenv(variable) == "" {
		variable = "AWS_ENDPOINT_URL"
	}
	endpoint := cmp.Or(os.Getenv(variable), "https://s3.amazonaws.com")
	server, err := url.Parse(endpoint)
	if err != nil || server.Host == "" || strings.Trim(server.Path, "/") != "" {
		return nil, &problem.Error{Code: CodeName, Message: variable + " is not an address of a server: " + endpoint, Remedy: "write it as https://host:port, without a path"}
	}
	region := os.Getenv("AWS_REGION")
	if region == "" {
		region = os.Getenv("AWS_DEFAULT_REGION")
	}
	transport, err := minio.DefaultTransport(server.Scheme == "https")
	if err != nil {
		return nil, err
	}
	client, err := minio.New(server.Host, &minio.Options{
		Secure: server.Scheme == "https", Region: region, Transport: transport, MaxRetries: attempts,
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
	})
	if err != nil {
		return nil, &problem.Error{Code: CodeName, Message: "S3 cannot be reached as it is set up: " + err.Error(), Remedy: "see AWS_ENDPOINT_URL, AWS_REGION and the credentials", Cause: err}
	}
	return &place{client, bucket, prefix}, nil
}

const (
	attempts = 10
	// slowest is the fewest bytes a second that an answer may have before it is asked for
	// again.
	slowest = 50 << 10
)

var (
	// shortly is how long any answer may take.
	shortly = 30 * time.Second
	// firstWait is how long it is waited before a request is repeated, then twice as long each
	// time.
	firstWait = 100 * time.Millisecond
)

// unavailable is the error of a service that did not do what it was asked for several times.
func unavailable(err error) error {
	return failed(err, "see that the server, the bucket and the credentials are right, then start again; what is done stays")
}

// unavailable is also the error where the requests were refused because nobody signed them.
func (p *place) unavailable(err error) error {
	if found, missing := p.client.GetCreds(); status(err) == http.StatusForbidden && (missing != nil || found.AccessKeyID == "") {
		return failed(err, "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into ~/.aws/credentials")
	}
	return unavailable(err)
}

func failed(err error, remedy string) error {
	return &problem.Error{Code: bulk.CodeUnavailable, Message: "S3: " + err.Error(), Remedy: remedy, Cause: errors.Join(bulk.ErrUnavailable, err)}
}

// status is the status of an answer; 0 for none.
func status(err error) int {
	return minio.ToErrorResponse(err).StatusCode
}

// errShort is the error of an answer that ended early.
var errShort = errors.New("the answer ended early")

// get reads an object of at most limit bytes, from an ETag if that is given.
func (p *place) get(ctx context.Context, key, etag string, limit int64) (data []byte, err error) {
	var options minio.GetObjectOptions
	if etag != "" {
		if err := options.SetMatchETag(etag); err != nil {
			return nil, err
		}
	}
	err = p.repeat(ctx, limit, func(ctx context.Context) error {
		body, info, _, err := (minio.Core{Client: p.client}).GetObject(ctx, p.bucket, key, options)
		if err != nil {
			return err
		}
		defer body.Close()
		if info.Size > limit {
			data = nil
			return inputfile.TooLarge(info.Size, limit)
		}
		data = make([]byte, 0, info.Size+1)
		data, err = appendAll(data, io.LimitReader(body, limit+1))
		if err == nil && int64(len(data)) != info.Size {
			err = errShort
		}
		return err
	})
	return data, err
}

func appendAll(data []byte, r io.Reader) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
}

// repeat repeats a request of so many bytes that may succeed later. The client repeats what gets
// no answer, or an answer of its own server's trouble; this is for answers that break off, or
// take too long, as well.
func (p *place) repeat(ctx context.Context, size int64, request func(context.Context) error) error {
	wait := firstWait
	for n := 1; ; n++ {
		asking, cancel := context.WithTimeout(ctx, shortly+time.Duration(size/slowest)*time.Second)
		err := request(asking)
		cancel()
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if _, known := errors.AsType[*problem.Error](err); known {
			return err
		}
		switch status(err) {
		case http.StatusNotFound, http.StatusPreconditionFailed:
			return err
		}
		if n == attempts/2 {
			return p.unavailable(err)
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
		wait *= 2
	}
}

// A Source is the documents below a prefix: those that end as invoices do.
type Source struct {
	*place
	limit int64
}

// OpenSource opens s3://bucket/prefix. limit is the largest document in bytes.
func OpenSource(name string, limit int64) (*Source, error) {
	p, err := open(name)
	return &Source{p, limit}, err
}

// Close does nothing: connections end by themselves.
func (*Source) Close() error { return nil }

// Each lists the documents in the order of S3, which is that of their names in UTF-8. What
// stands for their hash is the ETag, so that they need not be read twice.
func (s *Source) Each(ctx context.Context, yield func(bulk.Entry) error) error {
	return s.list(ctx, s.prefix, func(o minio.ObjectInfo) error {
		if !inputfile.MayBeInvoice(o.Key) {
			return nil
		}
		return yield(bulk.Entry{Key: o.Key, Size: o.Size, Hash: "etag:" + o.ETag})
	})
}

// Read reads an object as it was when it was listed.
func (s *Source) Read(ctx context.Context, e bulk.Entry) (data []byte, stamp int64, err error) {
	if e.Size > s.limit {
		return nil, 0, inputfile.TooLarge(e.Size, s.limit)
	}
	data, err = s.get(ctx, e.Key, strings.TrimPrefix(e.Hash, "etag:"), s.limit)
	switch status(err) {
	case http.StatusNotFound:
		return nil, 0, fmt.Errorf("there is no object %s any more", e.Key)
	case http.StatusPreconditionFailed:
		return nil, 0, bulk.Changed()
	}
	return data, 0, err
}

// list lists objects, page by page. A listing that breaks off, or is silent for too long, goes on
// after the last object.
func (p *place) list(ctx context.Context, prefix string, yield func(minio.ObjectInfo) error) error {
	last := ""
	var failed error
	for {
		before := last
		err := p.repeat(ctx, 0, func(context.Context) error { // which is as long as yield takes
			listing, cancel := context.WithCancel(ctx) // ends the client's goroutine
			defer cancel()
			objects := p.client.ListObjects(listing, p.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, StartAfter: last})
			silent := time.NewTimer(shortly)
			defer silent.Stop()
			for {
				select {
				case o, more := <-objects:
					if !more || o.Err != nil {
						return o.Err
					}
					if failed = yield(o); failed != nil {
						return nil //nolint:nilerr // it is given back below, not repeated
					}
					last = o.Key
					silent.Reset(shortly)
				case <-silent.C:
					return errShort
				}
			}
		})
		switch {
		case failed != nil:
			return failed
		case err == nil:
			return nil
		case ctx.Err() == nil && last != before: // it goes on, however often it breaks off
		case status(err) == http.StatusNotFound:
			return unavailable(err) // there is no such bucket
		default:
			return err
		}
	}
}
