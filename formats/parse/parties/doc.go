// Package parties finds who sells, who buys, and where goods go to.
package parties
