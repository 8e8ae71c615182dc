// Package operation has the list of operations that make something of one document, and what
// they work with. The HTTP service, the command line, bulk jobs and the workbench offer what
// is on the list: a further operation is its folder and one entry.
package operation
