package model

// HasCheckDigits reports whether the third and fourth character of an IBAN (ISO 13616) or a creditor
// reference (ISO 11649), in capital letters and without spaces, are its check digits by ISO 7064
// (MOD 97-10), which makes 02 to 98.
func HasCheckDigits(text string) bool {
	if len(text) < 5 || text[2:4] < "02" || text[2:4] > "98" || text[3] > '9' {
		return false
	}
	remainder := 0
	for _, b := range []byte(text[4:] + text[:4]) {
		switch {
		case b >= '0' && b <= '9':
			remainder = (remainder*10 + int(b-'0')) % 97
		case b >= 'A' && b <= 'Z':
			remainder = (remainder*100 + int(b-'A') + 10) % 97
		default:
			return false
		}
	}
	return remainder == 1
}
