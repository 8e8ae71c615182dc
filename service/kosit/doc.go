// Package kosit takes the place of the validator of KoSIT (the Coordination Office for IT
// Standards) with its configuration for XRechnung: the same scenarios choose what a
// document is checked against, the same steps report, and the same report in VARL
// (http://www.xoev.de/de/validator/varl/1) recommends to accept or to reject. The rules
// are those of the library; the Schematron files of a configuration are never read.
//
//	c, err := kosit.BuiltIn(library)           // or kosit.Load(library, data of scenarios.xml)
//	result, err := c.Check(ctx, s, kosit.Input{Name: "invoice.xml", Data: data})
//	result.Acceptable, result.Report           // the report as XML
package kosit
