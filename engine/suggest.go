package engine

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"einvoice/model/nearest"
)

// Suggest ends the message about a name that is not known with the one that may be meant.
func Suggest(name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	return Meant(nearest.Of(name, known))
}

// Meant asks in a message whether a name was meant; "" for none.
func Meant(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}

// suggestFile is suggest for the name of a YAML file in a folder of the library.
func (l *Library) suggestFile(folder, name string) string {
	files, err := fs.Glob(l.fsys, folder+"/*.yaml")
	if err != nil {
		return ""
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return Suggest(name, files)
}
