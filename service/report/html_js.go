package report

// pageFormats are none in a browser: templates of HTML keep everything in the program that
// can be called by its name, which is a third of it.
var pageFormats, supplierFormats []*Format
