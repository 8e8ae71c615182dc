//go:build counters

package count

// On reports that counting is built in.
const On = true
