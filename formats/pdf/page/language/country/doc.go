// Package country gives the names of countries in the languages of pages, as CLDR has them. The
// library that knows them has those of all languages, which is too much for a program: what is built
// for people has lists of it, which cmd/pack and `make wasm` write.
package country
