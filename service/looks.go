package service

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/formats/pdf/page"
	"einvoice/model/problem"
)

// look is the look of a name: one of the service's own, or one of the program.
func (s *Service) look(name string) (*page.Look, error) {
	if l := s.config.Looks[name]; l != nil {
		return l, nil
	}
	l, err := page.BuiltInLook(name)
	if err != nil {
		names := append(slices.Collect(maps.Keys(s.config.Looks)), page.BuiltInLooks()...)
		slices.Sort(names)
		return nil, &problem.Error{
			Code: CodeOption, Message: fmt.Sprintf("there is no look %q", name), Remedy: "use one of " + strings.Join(names, ", "),
			Field: "options.look", Cause: err,
		}
	}
	return l, nil
}

// ReadLooks reads the looks of a folder: each file NAME.yaml in it is the look NAME. The
// error is that of the first file that is no look, a *problem.Error.
func ReadLooks(folder string) (map[string]*page.Look, error) {
	fsys := os.DirFS(folder)
	files, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(fsys, "."); err != nil {
		return nil, fmt.Errorf("the folder of looks: %w", err)
	}
	looks := map[string]*page.Look{}
	for _, file := range files {
		if looks[strings.TrimSuffix(file, ".yaml")], err = page.ReadLook(fsys, file); err != nil {
			return nil, err
		}
	}
	return looks, nil
}

// ReadLook reads the look of one file; what it names is beside the file.
func ReadLook(file string) (*page.Look, error) {
	folder, name := filepath.Split(file)
	if folder == "" {
		folder = "."
	}
	return page.ReadLook(os.DirFS(folder), name)
}
