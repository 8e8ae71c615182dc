// Package catalogue lists what operations are asked for by the name of a format: in which
// profiles and syntaxes its documents are made, by which rules they are validated, and how
// they are shown. The list is formats.yaml.
package catalogue
