// Package totals decides the amounts of an invoice together: those that agree with
// BR-CO-10 to BR-CO-17 of EN 16931-1 win over those that only have the better label.
package totals
