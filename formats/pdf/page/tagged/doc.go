// Package tagged has content streams of pages with the structure that they belong to: nothing
// can be drawn without an element of structure, or as an artifact.
package tagged
