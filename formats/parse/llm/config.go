package llm

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// A Config says which model is asked and what that may cost. A limit that is zero has
// the value of DefaultConfig.
type Config struct {
	// URL is where the API is, to which /chat/completions is added; without it nothing
	// is asked.
	URL string
	// Model is the name that the endpoint has for the model.
	Model string
	// KeyFile is a file with the API key, KeyVariable an environment variable with it. An
	// endpoint without keys needs neither.
	KeyFile, KeyVariable string
	Pictures             bool          // send pictures of the pages too
	Time                 time.Duration // of one answer
	Bytes                int           // of one answer
	Words                int           // of the pages; those with more are not sent
}

// DefaultConfig has the limits that suit models that are asked over a network.
func DefaultConfig() Config {
	return Config{Time: time.Minute, Bytes: 1 << 20, Words: 5000}
}

// New checks a configuration and makes a Model of it; nil without a URL. The endpoint is
// not asked.
func New(c Config) (*Model, error) {
	if c.URL == "" {
		if c.Model != "" || c.KeyFile != "" || c.KeyVariable != "" || c.Pictures {
			return nil, errors.New("settings of the language model are given without its URL (parse-model-url)")
		}
		return nil, nil
	}
	at, err := url.Parse(c.URL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return nil, errors.New("the URL of the language model (parse-model-url) is none like http://127.0.0.1:11434/v1: http or https, without user, query and fragment")
	}
	if c.Model == "" {
		return nil, errors.New("the name of the language model is missing (parse-model-name)")
	}
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	standard := DefaultConfig()
	if c.Time <= 0 {
		c.Time = standard.Time
	}
	if c.Bytes <= 0 {
		c.Bytes = standard.Bytes
	}
	if c.Words <= 0 {
		c.Words = standard.Words
	}
	return &Model{config: c, at: at.JoinPath("chat", "completions").String(), key: key, client: &http.Client{
		// An endpoint that sends elsewhere would have the pages sent there.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// key reads the API key.
func (c *Config) key() (string, error) {
	key, from := "", ""
	switch {
	case c.KeyFile != "" && c.KeyVariable != "":
		return "", errors.New("the key of the language model is given twice (parse-model-key-file, parse-model-key-variable)")
	case c.KeyFile != "":
		data, err := os.ReadFile(c.KeyFile)
		if err != nil {
			return "", fmt.Errorf("read the key of the language model: %w", err)
		}
		key, from = string(data), "file"
	case c.KeyVariable != "":
		key, from = os.Getenv(c.KeyVariable), "environment variable"
	default:
		return "", nil
	}
	key = strings.TrimSpace(key)
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the %s of the language model's key has no key: one line of letters, digits and signs", from)
	}
	return key, nil
}
