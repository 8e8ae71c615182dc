// Package operation has what all operations on invoices work with.
package operation
