// Command image makes the image of deploy/Dockerfile without a daemon and without a base
// from a registry: the static program on an empty image. It is a module of its own, so that
// what it needs is no part of the program. make image runs it.
package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	binary := flag.String("binary", "", "the static program")
	notices := flag.String("notices", "", "the licences of what it contains")
	certificates := flag.String("certificates", "/etc/ssl/certs/ca-certificates.crt", "the roots of TLS; left out where the file is not there")
	dockerfile := flag.String("dockerfile", "", "where user, environment, port and command are from")
	platform := flag.String("platform", "linux/amd64", "what the program was built for")
	tag := flag.String("tag", "einvoice:latest", "what the image is called")
	out := flag.String("o", "image.tar", "the image, as docker load, podman load and skopeo take it")
	flag.Parse()
	files := map[string]string{"einvoice": *binary, "NOTICES.txt": *notices, "etc/ssl/certs/ca-certificates.crt": *certificates}
	if err := build(files, *dockerfile, *platform, *tag, *out); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func build(files map[string]string, dockerfile, platform, tag, out string) error {
	text, err := os.ReadFile(dockerfile)
	if err != nil {
		return err
	}
	config, err := configOf(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", dockerfile, err)
	}
	layer, err := layerOf(files)
	if err != nil {
		return err
	}
	opener := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(layer)), nil }
	added, err := tarball.LayerFromOpener(opener)
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, added)
	if err != nil {
		return err
	}
	about, err := image.ConfigFile()
	if err != nil {
		return err
	}
	about = about.DeepCopy()
	about.Config = *config
	about.OS, about.Architecture, _ = strings.Cut(platform, "/")
	if image, err = mutate.ConfigFile(image, about); err != nil {
		return err
	}
	reference, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(out, reference, image)
}

// configOf reads how the program is run from the last stage of a Dockerfile.
func configOf(text string) (*v1.Config, error) {
	stages := strings.Split("\n"+text, "\nFROM ")
	c := &v1.Config{}
	for line := range strings.Lines(stages[len(stages)-1]) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch instruction {
		case "USER":
			c.User = rest
		case "ENV":
			c.Env = append(c.Env, rest)
		case "EXPOSE":
			c.ExposedPorts = map[string]struct{}{rest + "/tcp": {}}
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(rest), &c.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(rest), &c.Cmd)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", instruction, rest, err)
		}
	}
	if c.User == "" || c.Entrypoint == nil {
		return nil, fmt.Errorf("its last stage names no user, or no entry point")
	}
	return c, nil
}

// layerOf is a layer of files; the same files make the same bytes.
func layerOf(files map[string]string) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{}
	for _, to := range []string{"NOTICES.txt", "einvoice", "etc/ssl/certs/ca-certificates.crt"} {
		data, err := os.ReadFile(files[to])
		if os.IsNotExist(err) && strings.HasPrefix(to, "etc/") {
			fmt.Fprintf(os.Stderr, "image: %s is not there, so the image has no roots of TLS\n", files[to])
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := folders(w, path.Dir(to), made); err != nil {
			return nil, err
		}
		mode := int64(0o444)
		if to == "einvoice" {
			mode = 0o555
		}
		if err := w.WriteHeader(&tar.Header{Name: to, Mode: mode, Size: int64(len(data)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil { // writes the end
		return nil, err
	}
	return out.Bytes(), nil
}

func folders(w *tar.Writer, dir string, made map[string]bool) error {
	if dir == "." || made[dir] {
		return nil
	}
	if err := folders(w, path.Dir(dir), made); err != nil {
		return err
	}
	made[dir] = true
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o555, ModTime: time.Unix(0, 0), Format: tar.FormatPAX})
}
