package validate_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// suite reads the documents that the project's speed is stated on.
func suite(b *testing.B) (documents [][]byte, size int64) {
	b.Helper()
	files, err := filepath.Glob("../../../shared/suites/xrechnung-schematron/*.xml")
	if err != nil {
		b.Fatal(err)
	}
	if len(files) == 0 {
		b.Skip("skipped: ../shared/suites/xrechnung-schematron is not there")
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		documents = append(documents, data)
		size += int64(len(data))
	}
	return documents, size
}

// BenchmarkSuite times one pass over all documents: what encoding/xml needs to
// read their tokens, what reading them into invoices needs, and what complete
// validations need.
func BenchmarkSuite(b *testing.B) {
	documents, size := suite(b)
	each := func(b *testing.B, do func([]byte) error) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, data := range documents {
				if err := do(data); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(documents)), "µs/document")
	}
	b.Run("encoding-xml-tokens", func(b *testing.B) { each(b, tokens) })
	b.Run("read", func(b *testing.B) {
		each(b, func(data []byte) error {
			_, err := formats.Read(data, formats.Options{})
			return err
		})
	})
	s := kittest.Kit(b)
	for _, rules := range [][]string{{"en16931"}, {"en16931", "xrechnung"}} {
		b.Run("validate-"+rules[len(rules)-1], func(b *testing.B) {
			each(b, func(data []byte) error {
				result, err := s.Validate(context.Background(), data, validate.Rules{Rulesets: rules})
				result.GiveBack()
				return err
			})
		})
	}
}

// BenchmarkRatio compares a complete validation (read, schema, all rules of EN 16931
// and XRechnung, findings) with encoding/xml reading the same tokens, document
// by document in turn, so that a change of the machine's speed meets both.
func BenchmarkRatio(b *testing.B) {
	documents, _ := suite(b)
	s, rules := kittest.Kit(b), validate.Rules{Rulesets: []string{"en16931", "xrechnung"}}
	for _, data := range documents { // everything is compiled before it counts
		if _, err := s.Validate(context.Background(), data, rules); err != nil {
			b.Fatal(err)
		}
	}
	var reading, validating time.Duration
	for b.Loop() {
		for _, data := range documents {
			started := time.Now()
			if err := tokens(data); err != nil {
				b.Fatal(err)
			}
			between := time.Now()
			result, err := s.Validate(context.Background(), data, rules)
			if err != nil {
				b.Fatal(err)
			}
			result.GiveBack()
			reading += between.Sub(started)
			validating += time.Since(between)
		}
	}
	per := float64(b.N * len(documents))
	b.ReportMetric(float64(reading.Microseconds())/per, "µs-tokens/document")
	b.ReportMetric(float64(validating.Microseconds())/per, "µs-validation/document")
	b.ReportMetric(float64(validating)/float64(reading), "validation/tokens")
}

// BenchmarkLeast states the mean, over all documents, of the least time that each needs in
// all passes. It leaves out most of the collector of garbage, and most of what else runs on
// the machine, so that two states of the code can be compared where it is not quiet.
func BenchmarkLeast(b *testing.B) {
	documents, _ := suite(b)
	s, rules := kittest.Kit(b), validate.Rules{Rulesets: []string{"en16931", "xrechnung"}}
	least := make([]time.Duration, len(documents))
	for pass := 0; b.Loop(); pass++ {
		for i, data := range documents {
			started := time.Now()
			result, err := s.Validate(context.Background(), data, rules)
			if err != nil {
				b.Fatal(err)
			}
			result.GiveBack()
			if spent := time.Since(started); pass == 0 || spent < least[i] {
				least[i] = spent
			}
		}
	}
	sum := time.Duration(0)
	for _, spent := range least {
		sum += spent
	}
	b.ReportMetric(float64(sum.Nanoseconds())/1000/float64(len(documents)), "µs-least/document")
}

func tokens(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
