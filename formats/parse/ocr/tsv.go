package ocr

import (
	"bytes"
	"strconv"
	"strings"
)

// maxWords bounds the words of a page.
const maxWords = 20_000

// An inkWord is a word with the box of its ink, in pixels.
type inkWord struct {
	text, other              string
	left, top, right, bottom float64
	confidence               float64 // from 0 to 1
	line                     string  // which line of its reading it is in
	row                      string  // which row of the page it is in
}

// wordLevel is the level of words in Tesseract's output; others are pages, blocks,
// paragraphs and lines.
const wordLevel = "5"

// readTSV reads Tesseract's output: a row for each word with its level, page, block,
// paragraph, line, number, left, top, width, height, confidence and text. Rows that are
// none are left out.
func readTSV(data []byte) (words []inkWord) {
	for row := range bytes.Lines(data) {
		f := strings.Split(strings.TrimRight(string(row), "\r\n"), "\t")
		if len(f) != 12 || f[0] != wordLevel || strings.TrimSpace(f[11]) == "" || len(f[11]) > 200 || len(words) == maxWords {
			continue
		}
		var n [5]float64
		ok := true
		for i := range n {
			v, err := strconv.ParseFloat(f[6+i], 64)
			n[i], ok = v, ok && err == nil && v >= 0 && v < 1<<20
		}
		if !ok || n[2] == 0 || n[3] == 0 {
			continue
		}
		words = append(words, inkWord{
			text: strings.TrimSpace(f[11]), left: n[0], top: n[1], right: n[0] + n[2], bottom: n[1] + n[3],
			confidence: min(n[4], 100) / 100, line: strings.Join(f[1:5], "."), row: strings.Join(f[1:5], "."),
		})
	}
	return words
}
