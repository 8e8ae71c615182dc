package server

import (
	"mime"
	"strings"
)

// disposition is the Content-Disposition of a file to save (RFC 6266). A name that is not
// ASCII comes as filename* (RFC 8187), beside one for clients that do not know it, which
// has underscores in place of the other characters.
func disposition(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	plain := `attachment; filename="` + ascii + `"`
	if ascii == name {
		return plain
	}
	_, encoded, _ := strings.Cut(mime.FormatMediaType("attachment", map[string]string{"filename": name}), "''")
	return plain + "; filename*=UTF-8''" + encoded
}
