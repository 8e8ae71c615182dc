package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// Program names what this program was built of: the revision of the source and the compiler, or the
// hash of the executable.
func Program() (string, error) { return program() }

// program names what this program was built of, so that results of another one are not taken
// for its own. An executable is read once.
var program = sync.OnceValues(func() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the executable of this program, whose bytes results are of: %w", err)
	}
	return builtOf(info, path)
})

// builtOf is the revision of the source, where all of the source is of it, and the compiler;
// else the hash of the executable.
func builtOf(info *debug.BuildInfo, executable string) (string, error) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs.revision"] != "" && settings["vcs.modified"] == "false" {
		return "revision " + settings["vcs.revision"] + " " + info.GoVersion, nil
	}
	f, err := os.Open(executable)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return "sha256 " + hex.EncodeToString(sum.Sum(nil)), err
}
