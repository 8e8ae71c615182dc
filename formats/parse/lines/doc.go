// Package lines reads the table of lines, below its heads or by arithmetic.
package lines
