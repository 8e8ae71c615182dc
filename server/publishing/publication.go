package publishing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"einvoice/model/deadline"
	"einvoice/model/problem"
	"einvoice/server/refusal"
	"einvoice/service/workbench"
)

// versionsFolder is the folder, in that of the rulesets, that has what was published.
const versionsFolder = ".published"

// A Publication is one version of the edited rulesets that was published: what it wrote, and
// what was there before.
type Publication struct {
	Version int       `json:"version"`
	Who     string    `json:"who"`
	Key     string    `json:"key"` // the id of the key that was used
	Why     string    `json:"why"`
	From    string    `json:"from"` // the day from which on it is in force
	At      time.Time `json:"at"`
	// Undoes is the first version that it takes back; 0 for a version of its own.
	Undoes int      `json:"undoes,omitempty"`
	Files  []Change `json:"files"`
	// ApprovedBy approved it with another key, where the service asks for that.
	ApprovedBy  string `json:"approvedBy,omitempty"`
	ApprovedKey string `json:"approvedKey,omitempty"`
	ApprovedWhy string `json:"approvedWhy,omitempty"`
	// Requests are those with idempotency keys that had it made.
	Requests []Request `json:"requests,omitempty"`
	// Previous is the SHA-256 of the file of the version before, in hexadecimal; "" for the
	// first. Signature is that of the record without it, by the key of the service (Ed25519,
	// base64); "" where it has none.
	Previous  string `json:"previous,omitempty"`
	Signature string `json:"signature,omitempty"`

	approves string // the proposal that it is, and that goes with it
}

// A Change is a file of a version; null is not a file.
type Change struct {
	Name   string  `json:"name"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// publishedOverlays are the names of the overlays that publishing brought into a folder,
// oldest first: they apply to everyone who chooses none. One that was there before stays for
// those who ask for it.
func publishedOverlays(all []Publication) (names []string) {
	for _, p := range all {
		for _, f := range p.Files {
			name, isOverlay := workbench.OverlayOf(f.Name)
			switch {
			case !isOverlay:
			case f.After == nil:
				names = slices.DeleteFunc(names, func(n string) bool { return n == name })
			case f.Before == nil && !slices.Contains(names, name):
				names = append(names, name)
			}
		}
	}
	return names
}

// publications are those of a folder, oldest first.
func publications(dir string) (all []Publication, err error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Join(dir, versionsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		number, isVersion := strings.CutSuffix(e.Name(), ".json")
		if _, err := strconv.Atoi(number); !isVersion || err != nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, versionsFolder, e.Name()))
		if err != nil {
			return nil, err
		}
		var p Publication
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Publication) int { return a.Version - b.Version })
	return all, nil
}

// notPublished is why rules do not come into force: a fault of theirs, or the end of the request,
// which says nothing of them.
func notPublished(ctx context.Context, err error, remedy string) error {
	if end := deadline.Err(ctx); end != nil {
		return end
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &problem.Error{Code: refusal.NotPublished, Message: err.Error(), Remedy: remedy}
}

// notLoaded says why the folder does not load with a draft, or that it does not without it.
func (s *Shelf) notLoaded(ctx context.Context, all []Publication, err error) error {
	if _, alone := s.load(ctx, all, nil); alone != nil {
		return notPublished(ctx, fmt.Errorf("the folder of rules does not load without it: %w", alone), "have that corrected in the folder first")
	}
	return notPublished(ctx, fmt.Errorf("the rules do not load with it: %w", err), "correct the draft")
}

// publish writes a version and takes it into force. Requests see all of it or nothing: the
// folder is not read meanwhile. What does not load is taken back. What fails once it is in force
// is told beside it: whoever publishes would do it again.
func (s *Shelf) publish(ctx context.Context, all []Publication, p *Publication) (Made, error) {
	p.Version = newestOf(all) + 1
	var err error
	if p.Previous, err = lastDigest(s.Dir); err != nil {
		return Made{}, err
	}
	if err := s.write(p.Files, false); err != nil {
		return Made{}, errors.Join(err, s.write(p.Files, true))
	}
	book, err := s.load(ctx, append(all, *p), nil)
	if err != nil {
		if back := s.write(p.Files, true); back != nil {
			return Made{}, errors.Join(err, back)
		}
		return Made{}, s.notLoaded(ctx, all, err)
	}
	record, err := s.record(p)
	if err == nil {
		err = writeWhole(recordFile(s.Dir, p.Version), record)
	}
	if err != nil {
		return Made{}, errors.Join(err, s.write(p.Files, true))
	}
	s.current.Store(book)
	s.fault.Store(nil)
	if p.approves != "" {
		err = os.Remove(s.proposalFile(p.approves))
	}
	print, failed := fingerprint(s.Dir)
	if failed == nil {
		s.tried = print
	}
	return Made{Version: p.Version, Unfinished: errors.Join(err, failed, commit(ctx, s.Dir, p))}, nil
}

// textOf is the text of a file; nil where there is none. It has to be inside the folder, also
// by the links on the way.
func textOf(dir, name string) (*string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := fs.ReadFile(root.FS(), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil //nolint:nilnil // no file
	case err != nil && !errors.Is(err, fs.ErrPermission):
		return nil, refusal.New(refusal.NotPublished, "The file %q cannot be written into the folder of rules: it is a folder, or a link or a file stands in its way. Take that away there, or choose another name.", name)
	}
	text := string(data)
	return &text, err
}

// write writes the files of a version, or what was there before.
func (s *Shelf) write(files []Change, before bool) error {
	var all []error
	for _, f := range files {
		text, path := f.After, filepath.Join(s.Dir, filepath.FromSlash(f.Name))
		if before {
			text = f.Before
		}
		if text == nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				all = append(all, err)
			}
			continue
		}
		all = append(all, writeWhole(path, []byte(*text)))
	}
	return errors.Join(all...)
}

// writeWhole writes a file so that nobody sees half of it.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) //nolint:errcheck // it was renamed, or is of no use
	_, err = part.Write(data)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := os.Chmod(part.Name(), 0o640); err != nil { //nolint:gosec // as an editor of the group has them
		return err
	}
	return os.Rename(part.Name(), path)
}

// gitTimeout bounds one command of git.
const gitTimeout = 20 * time.Second

// gitEnds is how long a command of git has to end when it is asked to.
const gitEnds = 500 * time.Millisecond

// commit makes a commit of a version where the folder is in a repository and git is there.
func commit(ctx context.Context, dir string, p *Publication) error {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil //nolint:nilerr // the version is in its file
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	run := func(stdin string, args ...string) error {
		command := exec.CommandContext(ctx, git, append([]string{"-C", dir, "-c", "user.name=einvoice", "-c", "user.email=einvoice@localhost"}, args...)...) //nolint:gosec // no argument is a client's but names of rule files, behind --
		command.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
		command.Stdin = strings.NewReader(stdin)
		// Killed, git leaves its lock behind, and no later version gets its commit.
		command.Cancel, command.WaitDelay = func() error { return command.Process.Signal(syscall.SIGTERM) }, gitEnds
		var said bytes.Buffer
		command.Stderr = &said
		if err := command.Run(); err != nil {
			return fmt.Errorf("git %s: %w: %.300s", args[0], err, said.String())
		}
		return nil
	}
	if run("", "rev-parse", "--git-dir") != nil {
		return nil // no repository
	}
	names := []string{versionsFolder + fmt.Sprintf("/%06d.json", p.Version)}
	for _, f := range p.Files {
		if f.After == nil && run("", "ls-files", "--error-unmatch", "--", f.Name) != nil {
			continue // git does not know the file, so it has nothing to remove
		}
		names = append(names, f.Name)
	}
	if err := run("", append([]string{"add", "--all", "--force", "--"}, names...)...); err != nil {
		return err
	}
	author := strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>\n\r", r) {
			return ' '
		}
		return r
	}, p.Who)
	return run(p.Why+"\n", append([]string{"commit", "--quiet", "--author", author + " <" + p.Key + "@einvoice>", "--file", "-", "--"}, names...)...)
}
