package parse

import (
	_ "embed"
	"sync"

	"einvoice/model/strictyaml"
)

//go:embed calibration.yaml
var calibrationYAML []byte

// A calibration says how many of the values with some confidence were right, by group of
// fields, on pages of programs that no rule was corrected with. make parse-model makes it.
type calibration struct {
	Steps map[string][][2]float64 // from which confidence on: the share that was right, rising
}

var calibrations = sync.OnceValue(func() *calibration {
	c := &calibration{}
	if err := strictyaml.Decode(calibrationYAML, c); err != nil {
		panic(err) // a test reads it too
	}
	return c
})

// calibrated is the confidence of a value for that of the scorer: what isotonic regression made
// of it. A group that was not calibrated is never sure.
func calibrated(pointer string, confidence float64) float64 {
	steps := calibrations().Steps[groupOf(pointer)]
	if len(steps) == 0 {
		return min(confidence, untrained)
	}
	share := min(confidence, steps[0][1])
	for _, step := range steps {
		if confidence < step[0] {
			break
		}
		share = step[1]
	}
	return share
}
