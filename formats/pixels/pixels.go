// Package pixels tells from the header of a picture what it takes to decode it: a file of some
// kilobytes may be a gigabyte of pixels.
package pixels

import (
	"encoding/binary"
	"image"
	"image/color"
)

// Bytes is how much memory decoding a picture takes at most, with its pixels. The format and
// the configuration are those of image.DecodeConfig.
func Bytes(data []byte, format string, config image.Config) int64 {
	all, each := int64(config.Width)*int64(config.Height), depth(config.ColorModel)
	switch format {
	case "tiff":
		return all*each + readDirectory(data).unpacked(data, int64(config.Width), int64(config.Height))
	case "jpeg":
		if isProgressive(data) { // its coefficients have four bytes each
			return all * 6 * each
		}
		if config.ColorModel == color.CMYKModel { // it is decoded as three colours first
			return all * 2 * each
		}
	case "png":
		const interlacing = 28
		if len(data) > interlacing && data[interlacing] == 1 { // each pass is a picture
			return all * 2 * each
		}
	}
	return all * each
}

// depth is how many bytes a pixel has in memory.
func depth(model color.Model) int64 {
	switch model {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.YCbCrModel:
		return 3
	case color.RGBAModel, color.NRGBAModel, color.CMYKModel:
		return 4
	}
	if _, is := model.(color.Palette); is {
		return 1
	}
	return 8
}

// isProgressive reports whether a JPEG is, by the markers before its pixels.
func isProgressive(data []byte) bool {
	const progressive, scan = 0xC2, 0xDA
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xFF || data[at+1] == 0xFF { // between segments there may be fill bytes
			at++
			continue
		}
		switch data[at+1] {
		case progressive:
			return true
		case scan:
			return false
		}
		at += 2 + max(int(binary.BigEndian.Uint16(data[at+2:])), 2)
	}
	return false
}

// directory are the entries of a TIFF's first picture that have one number.
type directory map[uint16]int64

// The entries that are looked at.
const (
	compression  = 0x0103
	rowsPerStrip = 0x0116
	tileWidth    = 0x0142
	tileHeight   = 0x0143
)

func readDirectory(data []byte) directory {
	const entry, typeShort = 12, 3
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 'M' {
		order = binary.BigEndian
	}
	d := directory{}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return d
	}
	for rest, n := data[at+2:], order.Uint16(data[at:]); n > 0 && len(rest) >= entry; rest, n = rest[entry:], n-1 {
		d[order.Uint16(rest)] = int64(order.Uint32(rest[8:]))
		if order.Uint16(rest[2:]) == typeShort {
			d[order.Uint16(rest)] = int64(order.Uint16(rest[8:]))
		}
	}
	return d
}

// unpacked is what a strip or a tile takes while it is unpacked into a buffer that grows. It
// may have eight bytes for each pixel, whatever the picture says.
func (d directory) unpacked(data []byte, width, height int64) int64 {
	const none, ccitt, growing, most = 1, 4, 5, 8
	rows, columns := height, width
	if d[rowsPerStrip] > 0 {
		rows = min(d[rowsPerStrip], height)
	}
	if d[tileWidth] > 0 && d[tileHeight] > 0 {
		const padded = 1024 // a tile is that large at most where the picture is smaller
		rows, columns = min(d[tileHeight], height+padded), min(d[tileWidth], width+padded)
	}
	switch kind := d[compression]; {
	case kind <= none:
		return growing * int64(len(data))
	case kind <= ccitt: // black and white
		return growing * rows * columns / 8
	}
	return growing * most * rows * columns
}
