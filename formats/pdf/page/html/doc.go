// Package html writes composed pages as one file of HTML, from their structure.
package html
