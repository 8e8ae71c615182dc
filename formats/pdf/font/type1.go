package font

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/pattern"
)

// The keys of the encryption of Type 1 fonts.
const (
	eexecKey      = 55665
	charstringKey = 4330
	maxEntryEnd   = 64 // bytes
)

var (
	fontMatrix   = pattern.Later(`/FontMatrix\s*\[\s*([-+.\deE]+)`)
	lenIV        = pattern.Later(`/lenIV\s+(\d+)`)
	encodingLine = pattern.Later(`dup\s+(\d+|8#[0-7]+|16#[0-9a-fA-F]+)\s*/(\S+)\s+put`)
	// Subroutines and glyphs: their length, and their bytes after RD or -| or another
	// name that the font gives it.
	subroutine = pattern.Later(`dup\s+(\d+)\s+(\d+)\s+(?:RD|-\||\S+) `)
	// NP, ND, |- or another name, behind the bytes.
	entryEnd   = pattern.Later(`^\s*[!-~]+(\s|$)`)
	glyphStart = pattern.Later(`/(\S*)\s+(\d+)\s+(?:RD|-\||\S+) `)
)

// plainType1 is a font without segments whose encrypted part is in binary, with the lengths
// of its parts. The encrypted part begins behind eexec and the white space after it, and ends
// before the zeros, which cleartomark follows.
func plainType1(data []byte) (plain []byte, lengths [3]int) {
	eexec := bytes.Index(data, []byte("eexec"))
	if eexec < 0 {
		return data, lengths
	}
	begin := eexec + len("eexec")
	for begin < len(data) && bytes.IndexByte([]byte(" \t\r\n"), data[begin]) >= 0 {
		begin++
	}
	end := len(data)
	if mark := bytes.LastIndex(data, []byte("cleartomark")); mark > begin {
		end = begin + len(bytes.TrimRight(data[begin:mark], "0 \t\r\n"))
	}
	cipher := binaryOf(data[begin:end])
	return slices.Concat(data[:begin], cipher, data[end:]), [3]int{begin, len(cipher), len(data) - end}
}

func parseType1(data []byte) (*Font, error) {
	data = joinSegments(data)
	plain, lengths := plainType1(data)
	clearText, cipher, found := bytes.Cut(data, []byte("eexec"))
	if !found {
		return nil, errDamaged
	}
	text := decrypt(binaryOf(bytes.TrimLeft(cipher, " \t\r\n")), eexecKey, 4)
	scale := 1.0
	if m := fontMatrix().FindSubmatch(clearText); m != nil {
		if v, err := strconv.ParseFloat(string(m[1]), 64); err == nil && v != 0 {
			scale = v * 1000
		}
	}
	skip := 4
	if m := lenIV().FindSubmatch(text); m != nil {
		skip, _ = strconv.Atoi(string(m[1])) // the expression matches digits only
	}
	head, glyphs, found := bytes.Cut(text, []byte("/CharStrings"))
	if !found {
		return nil, errDamaged
	}
	subroutines := map[int][]byte{}
	if _, subrs, found := bytes.Cut(head, []byte("/Subrs")); found {
		if !entries(subrs, subroutine(), func(number string, body []byte) {
			n, _ := strconv.Atoi(number)
			subroutines[n] = decrypt(body, charstringKey, skip)
		}) {
			return nil, errDamaged
		}
	}
	f := &Font{Kind: Type1, Plain: plain, Lengths: lengths, builtIn: type1Encoding(clearText), names: []string{".notdef"}, widths: []float64{0}}
	intact := entries(glyphs, glyphStart(), func(name string, body []byte) {
		width := type1Width(decrypt(body, charstringKey, skip), subroutines) * scale
		if name == ".notdef" {
			f.widths[0] = width
			return
		}
		f.names, f.widths = append(f.names, name), append(f.widths, width)
	})
	f.Glyphs = len(f.names)
	if f.Glyphs == 1 || !intact {
		return nil, errDamaged
	}
	return f, nil
}

// joinSegments is the content of the segments of a PFB file.
func joinSegments(data []byte) []byte {
	var whole []byte
	for u8(data, 0) == 0x80 && (u8(data, 1) == 1 || u8(data, 1) == 2) {
		length := u8(data, 2) | u8(data, 3)<<8 | u8(data, 4)<<16 | u8(data, 5)<<24
		whole = append(whole, part(data, 6, length)...)
		data = part(data, 6+length, len(data))
	}
	if whole == nil {
		return data
	}
	return whole
}

// binaryOf is the encrypted part, which may be written in hexadecimal.
func binaryOf(cipher []byte) []byte {
	for _, c := range part(cipher, 0, 4) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return cipher
		}
	}
	digits := bytes.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return r
		}
		return -1
	}, cipher)
	plain := make([]byte, len(digits)/2)
	n, _ := hex.Decode(plain, digits[:len(digits)/2*2]) // only digits are left
	return plain[:n]
}

// decrypt decrypts data, and skips the random bytes at its beginning.
func decrypt(cipher []byte, key uint16, skip int) []byte {
	plain := make([]byte, len(cipher))
	for i, c := range cipher {
		plain[i] = c ^ byte(key>>8)
		key = (uint16(c)+key)*52845 + 22719
	}
	return part(plain, skip, len(plain))
}

// entries visits the subroutines or glyphs: a name, a length and that many bytes. It is
// false where the bytes are more or fewer than the length.
func entries(text []byte, start *regexp.Regexp, visit func(name string, body []byte)) bool {
	for {
		at := start.FindSubmatchIndex(text)
		if at == nil {
			return true
		}
		length, err := strconv.Atoi(string(text[at[4]:at[5]]))
		if err != nil || at[1]+length > len(text) {
			return false
		}
		visit(string(text[at[2]:at[3]]), text[at[1]:at[1]+length])
		if text = text[at[1]+length:]; !entryEnd().Match(part(text, 0, maxEntryEnd)) {
			return false
		}
	}
}

// type1Encoding is the built-in encoding: the names of glyphs by code.
func type1Encoding(clearText []byte) map[int]string {
	codes := map[int]string{}
	_, definition, _ := bytes.Cut(clearText, []byte("/Encoding"))
	if bytes.HasPrefix(bytes.TrimSpace(definition), []byte("StandardEncoding")) {
		standard, _ := Encoding("StandardEncoding")
		for code, name := range standard {
			codes[code] = name
		}
		return codes
	}
	definition, _, _ = bytes.Cut(definition, []byte("readonly"))
	for _, m := range encodingLine().FindAllSubmatch(definition, 256) {
		digits, base := string(m[1]), 10
		if radix, rest, found := strings.Cut(digits, "#"); found {
			digits = rest
			base, _ = strconv.Atoi(radix)
		}
		if code, err := strconv.ParseInt(digits, base, 32); err == nil {
			codes[int(code)] = string(m[2])
		}
	}
	return codes
}

// type1Width is the advance width, an operand of hsbw or sbw.
func type1Width(code []byte, subroutines map[int][]byte) float64 {
	var stack []float64
	steps := 0
	var run func(code []byte, depth int) (width float64, known bool)
	run = func(code []byte, depth int) (float64, bool) {
		for at := 0; at < len(code); {
			if steps++; steps > maxSteps || len(stack) > maxStack {
				return 0, true
			}
			c := int(code[at])
			at++
			switch {
			case c == 255:
				stack = append(stack, float64(int32(u32(code, at))))
				at += 4
			case c >= 251:
				stack = append(stack, float64(-(c-251)*256-u8(code, at)-108))
				at++
			case c >= 247:
				stack = append(stack, float64((c-247)*256+u8(code, at)+108))
				at++
			case c >= 32:
				stack = append(stack, float64(c-139))
			case c == 13 && len(stack) >= 2: // hsbw
				return stack[1], true
			case c == 12 && u8(code, at) == 7 && len(stack) >= 4: // sbw
				return stack[2], true
			case c == 12 && u8(code, at) == 12 && len(stack) >= 2: // div
				n := len(stack)
				if stack[n-1] != 0 {
					stack[n-2] /= stack[n-1]
				}
				stack = stack[:n-1]
				at++
			case c == 10 && len(stack) > 0 && depth < maxCalls: // callsubr
				number := int(stack[len(stack)-1])
				stack = stack[:len(stack)-1]
				if width, known := run(subroutines[number], depth+1); known {
					return width, true
				}
			case c == 11: // return
				return 0, false
			default:
				return 0, true
			}
		}
		return 0, depth == 0
	}
	width, _ := run(code, 0)
	return width
}
