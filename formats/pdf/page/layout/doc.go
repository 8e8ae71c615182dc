// Package layout says where which term of an invoice is shown: layout.yaml as data.
package layout
