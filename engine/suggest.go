package engine

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"einvoice/model/nearest"
)

// suggest ends the message about a name that is not known with the one that may be meant.
func suggest(name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	return meant(nearest.Of(name, known))
}

// meant asks in a message whether a name was meant; "" for none.
func meant(name string) string {
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
	return suggest(name, files)
}
