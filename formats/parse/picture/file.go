package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The tags of TIFF 6.0 that are looked at, and the type of their values.
const (
	tagOrientation = 0x0112
	typeShort      = 3
	entrySize      = 12
)

// A directory is one picture of a TIFF, or what a camera says of a JPEG.
type directory struct {
	offset      uint32
	orientation int // 1 to 8 as TIFF 6.0 has it; 1 where nothing is said
}

// directories reads the list of directories in a TIFF, at most so many.
func directories(data []byte, most int) (all []directory) {
	if len(data) < 8 {
		return nil
	}
	order := orderOf(data)
	for at := order.Uint32(data[4:]); at != 0 && len(all) < most && int64(at)+2 <= int64(len(data)); {
		if slices.ContainsFunc(all, func(d directory) bool { return d.offset == at }) {
			break // a circle
		}
		d := directory{offset: at, orientation: 1}
		entries := data[at+2:]
		count := int(order.Uint16(data[at:]))
		if len(entries) < count*entrySize+4 {
			return append(all, d) // cut off behind what is decoded
		}
		for i := range count {
			entry := entries[i*entrySize:]
			if v := int(order.Uint16(entry[8:])); order.Uint16(entry) == tagOrientation && order.Uint16(entry[2:]) == typeShort && v >= 1 && v <= 8 {
				d.orientation = v
			}
		}
		all = append(all, d)
		at = order.Uint32(entries[count*entrySize:])
	}
	return all
}

// alone is a TIFF whose first picture is that of a directory.
func (d directory) alone(data []byte) []byte {
	order := orderOf(data)
	if order.Uint32(data[4:]) == d.offset {
		return data
	}
	data = slices.Clone(data)
	order.PutUint32(data[4:], d.offset)
	return data
}

// orderOf is the order of bytes that the header of a TIFF states.
func orderOf(data []byte) binary.ByteOrder {
	if data[0] == 'M' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// exifOrientation is how a camera was held, as a JPEG says in its Exif part.
func exifOrientation(data []byte) int {
	for at := 2; at+4 <= len(data) && data[at] == 0xFF && data[at+1] != 0xDA; {
		length := int(binary.BigEndian.Uint16(data[at+2:]))
		if length < 2 || at+2+length > len(data) {
			break
		}
		segment := data[at+4 : at+2+length]
		if exif, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && data[at+1] == 0xE1 {
			if d := directories(exif, 1); len(d) == 1 {
				return d[0].orientation
			}
		}
		at += 2 + length
	}
	return 1
}
