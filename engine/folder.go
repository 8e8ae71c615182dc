package engine

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// RuleFiles walks the files of a folder of rulesets that can matter. Folders and files
// that begin with a dot belong to editors and version control. What is no file, such as a
// pipe or a link to a folder, is an error that names it: it is never opened, because that
// might take for ever.
func RuleFiles(dir string, visit func(name string, info fs.FileInfo) error) error {
	root := os.DirFS(dir)
	return EachFile(root, func(name string) error {
		if !IsRuleFile(name) {
			return nil
		}
		info, err := fs.Stat(root, name) // what it leads to: a file may be a link, as in a mounted ConfigMap
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file (%s); remove it from the rulesets", name, info.Mode())
		}
		return visit(name, info)
	})
}

// IsRuleFile tells files of rules, and examples, by their names.
func IsRuleFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".xml")
}

// EachFile visits the files of a folder that do not belong to editors and version
// control.
func EachFile(fsys fs.FS, visit func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		return visit(name)
	})
}
