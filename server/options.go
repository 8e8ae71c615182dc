package server

import (
	"io"
	"net/url"
	"unicode/utf8"
)

// The options that a request may bring beside its document.
const (
	optionStrict         = "strict"
	optionBuyerReference = "buyerReference"
)

// longestOption is more than any option needs, in bytes.
const longestOption = 1000

// readOption reads the form field of an option.
func (u *upload) readOption(name string, part io.Reader) error {
	value, err := io.ReadAll(io.LimitReader(part, longestOption+1))
	if err != nil {
		return err
	}
	return u.setOption(name, string(value))
}

func (u *upload) setOption(name, value string) error {
	switch _, twice := u.options[name]; {
	case twice:
		return problem(codeOption, "The option %q is given twice. Give it once, in the form or in the query.", name)
	case len(value) > longestOption:
		return problem(codeOption, "The option %q has more than %d bytes.", name, longestOption)
	case !utf8.ValidString(value):
		return problem(codeOption, "The option %q is not UTF-8.", name)
	}
	if u.options == nil {
		u.options = map[string]string{}
	}
	u.options[name] = value
	return nil
}

// queryOptions adds the options of the query, for documents that are the body
// itself.
func (u *upload) queryOptions(rawQuery string, options ...string) error {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return problem(codeQuery, "The query cannot be taken apart. Write it as name=value&name=value, with what is special percent-encoded.")
	}
	for _, name := range options {
		for _, value := range query[name] {
			if err := u.setOption(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// strict reports whether a conversion that loses something is to be refused.
func (u *upload) strict() (bool, error) {
	switch value, given := u.options[optionStrict]; {
	case !given, value == "false":
		return false, nil
	case value == "true":
		return true, nil
	}
	return false, problem(codeOption, "The option \"strict\" is true or false.")
}
