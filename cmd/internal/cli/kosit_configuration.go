package cli

import (
	"fmt"
	"os"
	"strings"

	"einvoice/engine"
	"einvoice/model/quote"
	"einvoice/service/kosit"

	"github.com/spf13/cobra"
)

// configuration loads the scenarios and tells which there are.
func (o *kositOptions) configuration(cmd *cobra.Command, library *engine.Library) (*kosit.Configuration, error) {
	out := cmd.OutOrStdout()
	if err := o.checkRepositories(cmd); err != nil {
		return nil, err
	}
	var all []*kosit.Configuration
	for _, given := range o.scenarios {
		_, path, err := named(given)
		if err != nil {
			return nil, fmt.Errorf("-s: %w", err)
		}
		data, err := readInput(path, nil, kosit.MaxScenarios)
		if err != nil {
			return nil, fmt.Errorf("-s: %w", err)
		}
		c, err := kosit.Load(library, data)
		if err != nil {
			return nil, inFile(path, err)
		}
		all = append(all, c)
		fmt.Fprintf(out, "\nScenarios of %s (%s), with the rules that are built in:\n", quote.Name(path), c.Name)
		if err := listScenarios(cmd, library, c); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		c, err := kosit.BuiltIn(library)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		fmt.Fprintf(out, "\nBuilt-in scenarios (%s):\n", c.Name)
		if err := listScenarios(cmd, library, c); err != nil {
			return nil, err
		}
	}
	return kosit.Join(all...), nil
}

func listScenarios(cmd *cobra.Command, library *engine.Library, c *kosit.Configuration) error {
	for _, s := range c.Scenarios {
		own, err := s.Own(library)
		if err != nil {
			return err
		}
		if own != "" {
			own = ", with " + own
		}
		fmt.Fprintf(cmd.OutOrStdout(), "  * %s%s\n", s.Name, own)
	}
	return nil
}

// checkRepositories sees that each is a folder and that those with a name are of
// scenarios of this name.
func (o *kositOptions) checkRepositories(cmd *cobra.Command) error {
	names := map[string]bool{}
	for _, given := range o.scenarios {
		if name, _, err := named(given); err == nil {
			names[name] = true
		}
	}
	for _, given := range o.repositories {
		name, path, err := named(given)
		if err != nil {
			return fmt.Errorf("-r: %w", err)
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return fmt.Errorf("-r: %s is not a folder", path)
		}
		if name != "" && !names[name] {
			fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: -r %s is of no scenarios of that name\n", given)
		}
	}
	return nil
}

// named takes NAME=PATH apart.
func named(given string) (name, path string, err error) {
	parts := strings.Split(given, "=")
	switch {
	case len(parts) == 1 && strings.TrimSpace(given) != "":
		return "", strings.TrimSpace(given), nil
	case len(parts) == 2 && strings.TrimSpace(parts[1]) != "":
		return strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), nil
	}
	return "", "", fmt.Errorf("%q is neither a path nor NAME=PATH", given)
}
