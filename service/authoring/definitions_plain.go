//go:build !packed

package authoring

import _ "embed"

//go:embed definitions.yaml
var definitionsYAML []byte

// definitionsText is definitions.yaml.
func definitionsText() ([]byte, error) { return definitionsYAML, nil }
