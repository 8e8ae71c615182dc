package content

import "bytes"

// maxBeforeEI bounds the white space between the data of an inline image and EI.
const maxBeforeEI = 16

// imageEnd finds the end of the data of an inline image, and the end of EI. The length
// of data without a filter is known. Otherwise the first EI counts that is followed by
// what looks like operators.
func (s *scanner) imageEnd(image Dict) (end, next int) {
	from := s.at
	if length, known := unfilteredLength(image); known && from+length <= len(s.data) {
		at := from + length
		for most := at + maxBeforeEI; at < min(len(s.data), most) && isSpace(s.data[at]); {
			at++
		}
		if bytes.HasPrefix(s.data[at:], []byte("EI")) {
			return from + length, at + 2
		}
	}
	for at := from; ; {
		if s.noEI {
			return -1, -1
		}
		i := bytes.Index(s.data[min(at, len(s.data)):], []byte("EI"))
		if i < 0 {
			s.noEI = true
			return -1, -1
		}
		at += i
		before := at == from || isSpace(s.data[at-1])
		if before && s.operatorsFollow(at+2) {
			return max(from, at-1), at + 2
		}
		at += 2
	}
}

// operatorsFollow reports whether white space and then printable characters follow, as
// they do before operators, and not within the data of an image.
func (s *scanner) operatorsFollow(at int) bool {
	if at < len(s.data) && !isSpace(s.data[at]) {
		return false
	}
	for _, c := range s.data[at:min(at+16, len(s.data))] {
		if c > '~' || c < ' ' && !isSpace(c) {
			return false
		}
	}
	return true
}

// unfilteredLength is the length of the data of an image that has no filter.
func unfilteredLength(image Dict) (int, bool) {
	get := func(short, long Name) any {
		if v, found := image[short]; found {
			return v
		}
		return image[long]
	}
	if get("F", "Filter") != nil {
		return 0, false
	}
	width, _ := get("W", "Width").(Number)
	height, _ := get("H", "Height").(Number)
	bits, _ := get("BPC", "BitsPerComponent").(Number)
	components := 1.0
	if mask, _ := get("IM", "ImageMask").(bool); mask {
		bits.Value = 1
	} else {
		switch space, _ := get("CS", "ColorSpace").(Name); space {
		case "G", "DeviceGray", "CalGray":
		case "RGB", "DeviceRGB", "CalRGB":
			components = 3
		case "CMYK", "DeviceCMYK":
			components = 4
		default:
			if a, ok := get("CS", "ColorSpace").(Array); !ok || len(a) == 0 || a[0] != Name("I") && a[0] != Name("Indexed") {
				return 0, false
			}
		}
	}
	if width.Value < 0 || height.Value < 0 || width.Value > 1<<20 || height.Value > 1<<20 || bits.Value > 16 || bits.Value < 1 {
		return 0, false
	}
	row := (int(width.Value)*int(bits.Value)*int(components) + 7) / 8
	return row * int(height.Value), true
}
