// Package look reads how pages look: margins, colours, fonts, a logo, letter paper, texts, and
// what is shown in which order. A look is a YAML file; some are built in.
package look
