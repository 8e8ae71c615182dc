package archive

// substituteFonts are none in a browser, whose program does not embed invoices in PDFs of
// others: the files of these fonts are a quarter of it. A font that would have to be replaced
// is then refused like one that no family is known for.
var substituteFonts = map[string][4]*substituteFont{}
