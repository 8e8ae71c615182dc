package archive

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed press.yaml
var pressYAML []byte

// pressSteps is how finely each of the four inks is sampled.
const pressSteps = 9

// pressProfile is an ICC profile, version 2, of an offset press: the colours of
// its solid inks and of what they give one over the other, and between them what
// the model of Neugebauer, with the factor of Yule and Nielsen, makes of them.
var pressProfile = sync.OnceValue(func() []byte {
	var press struct {
		Factor float64
		Solids map[string]vector // Lab, by the inks: C, MY, ...
	}
	if err := yaml.Unmarshal(pressYAML, &press); err != nil {
		panic(err) // the data is ours: the first test finds a fault in it
	}
	var solids [16]vector
	for i := range solids {
		inks := ""
		for j, ink := range "CMYK" {
			if i>>j&1 == 1 {
				inks += string(ink)
			}
		}
		lab, found := press.Solids[inks]
		if !found { // black over anything is about black
			lab = press.Solids["K"]
		}
		solids[i] = labToXYZ(relative(lab, press.Solids[""]))
		for j := range solids[i] {
			solids[i][j] = math.Pow(solids[i][j]/d50[j], 1/press.Factor)
		}
	}
	tag := iccType("mft2")
	tag = append(tag, 4, 3, pressSteps, 0)
	for _, v := range []uint32{1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 16} {
		tag = binary.BigEndian.AppendUint32(tag, v)
	}
	tag = binary.BigEndian.AppendUint16(tag, 2)
	tag = binary.BigEndian.AppendUint16(tag, 2)
	tag = append(tag, straight(4)...)
	for i := range pressSteps * pressSteps * pressSteps * pressSteps {
		var inks [4]float64 // the last one varies fastest
		for j, n := 3, i; j >= 0; j, n = j-1, n/pressSteps {
			inks[j] = float64(n%pressSteps) / (pressSteps - 1)
		}
		for _, v := range encodeLab(xyzToLab(mix(inks, solids, press.Factor))) {
			tag = binary.BigEndian.AppendUint16(tag, v)
		}
	}
	tag = append(tag, straight(3)...)
	return iccProfile("scnr", "CMYK", "Lab ", "Offset press by ISO 12647-2", []iccTag{{"wtpt", iccXYZ(d50)}, {"A2B0", tag}})
})

// straight are curves that change nothing.
func straight(channels int) (b []byte) {
	for range channels {
		b = append(b, 0, 0, 0xFF, 0xFF)
	}
	return b
}

// mix is the colour of inks that cover these parts of the paper.
func mix(inks [4]float64, solids [16]vector, factor float64) (xyz vector) {
	for i, solid := range solids {
		weight := 1.0
		for j, part := range inks {
			if i>>j&1 == 1 {
				weight *= part
			} else {
				weight *= 1 - part
			}
		}
		for j := range xyz {
			xyz[j] += weight * solid[j]
		}
	}
	for j := range xyz {
		xyz[j] = math.Pow(xyz[j], factor) * d50[j]
	}
	return xyz
}

// relative is a colour as it is seen by an eye that takes the paper for white.
func relative(lab, paper vector) vector {
	xyz, white := labToXYZ(lab), labToXYZ(paper)
	for i := range xyz {
		xyz[i] *= d50[i] / white[i]
	}
	return xyzToLab(xyz)
}

// The parameters of CIE Lab.
const (
	labEdge  = 6.0 / 29
	labSlope = 3 * labEdge * labEdge
)

func labToXYZ(lab vector) (xyz vector) {
	y := (lab[0] + 16) / 116
	for i, f := range []float64{y + lab[1]/500, y, y - lab[2]/200} {
		if f > labEdge {
			xyz[i] = d50[i] * f * f * f
		} else {
			xyz[i] = d50[i] * labSlope * (f - 4.0/29)
		}
	}
	return xyz
}

func xyzToLab(xyz vector) vector {
	var f vector
	for i := range xyz {
		if v := xyz[i] / d50[i]; v > labEdge*labEdge*labEdge {
			f[i] = math.Cbrt(v)
		} else {
			f[i] = v/labSlope + 4.0/29
		}
	}
	return vector{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// encodeLab is how tables of version 2 hold Lab.
func encodeLab(lab vector) [3]uint16 {
	clamp := func(v float64) uint16 { return uint16(math.Round(min(max(v, 0), math.MaxUint16))) }
	return [3]uint16{clamp(lab[0] * 65280 / 100), clamp((lab[1] + 128) * 256), clamp((lab[2] + 128) * 256)}
}
