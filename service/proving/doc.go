// Package proving holds rules against the published Schematron that they were translated
// from. It makes documents out of what the published asserts look at, has both decide each,
// and says of every rule on how many documents they agreed and on how many it fired.
package proving
