// Package ocr recognises the words of a picture with the program Tesseract.
//
//	program, err := ocr.Find("tesseract", "deu+eng")
//	words, err := program.Words(ctx, picture, 300)
//
// The boxes of the words are turned back where the page is skewed; the picture is not. How
// large the letters are and where their base line is follows from the letters of a word:
// Tesseract's boxes end where the ink ends.
package ocr
