package font

// BuiltInNames are the names of the fonts that pages are set in: for plain and for bold text,
// and those for characters that they do not have.
var BuiltInNames = [4]string{"LiberationSans", "LiberationSans-Bold", "DejaVuSans", "DejaVuSans-Bold"}

// ForBrowsers are the files of the folder browser, by name: what the program for browsers has
// in place of the fonts, which it does not draw with.
func ForBrowsers() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range BuiltInNames {
		reduced, err := WithoutOutlines(BuiltIn(name))
		if err != nil {
			return nil, err
		}
		files[name+".bin"] = reduced
	}
	return files, nil
}
