package archive

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed cmyk.yaml
var cmykYAML []byte

// cmykSteps is the number of samples of each of the four inks.
const cmykSteps = 9

// cmykProfile is an ICC profile, version 2, of offset printing by ISO 12647-2. The
// colours between those of solid inks, and of solid inks on top of each other, are
// calculated by the Neugebauer model with the Yule-Nielsen factor.
var cmykProfile = sync.OnceValue(func() []byte {
	var data struct {
		Factor float64
		Solids map[string]vector // Lab, by the inks: C, MY, ...
	}
	if err := yaml.Unmarshal(cmykYAML, &data); err != nil {
		panic(err) // the data is embedded: a test finds a mistake in it
	}
	var solids [16]vector
	for i := range solids {
		inks := ""
		for j, ink := range "CMYK" {
			if i>>j&1 == 1 {
				inks += string(ink)
			}
		}
		lab, found := data.Solids[inks]
		if !found {
			lab = data.Solids["K"]
		}
		solids[i] = labToXYZ(mediaRelative(lab, data.Solids[""]))
		for j := range solids[i] {
			solids[i][j] = math.Pow(solids[i][j]/d50[j], 1/data.Factor)
		}
	}
	table := iccType("mft2")
	table = append(table, 4, 3, cmykSteps, 0)
	for _, v := range []uint32{1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 16} {
		table = binary.BigEndian.AppendUint32(table, v)
	}
	table = binary.BigEndian.AppendUint16(table, 2)
	table = binary.BigEndian.AppendUint16(table, 2)
	table = append(table, identityCurves(4)...)
	for i := range cmykSteps * cmykSteps * cmykSteps * cmykSteps {
		var inks [4]float64 // the last one varies fastest
		for j, n := 3, i; j >= 0; j, n = j-1, n/cmykSteps {
			inks[j] = float64(n%cmykSteps) / (cmykSteps - 1)
		}
		for _, v := range encodeLab(xyzToLab(neugebauer(inks, solids, data.Factor))) {
			table = binary.BigEndian.AppendUint16(table, v)
		}
	}
	table = append(table, identityCurves(3)...)
	return iccProfile("scnr", "CMYK", "Lab ", "Offset press by ISO 12647-2", []iccTag{{"wtpt", iccXYZ(d50)}, {"A2B0", table}})
})

// identityCurves are curves that map each value to itself.
func identityCurves(channels int) (b []byte) {
	for range channels {
		b = append(b, 0, 0, 0xFF, 0xFF)
	}
	return b
}

// neugebauer is the colour of inks that each cover a part of the paper. The solids
// are the colours of all combinations of inks, raised to 1/factor.
func neugebauer(inks [4]float64, solids [16]vector, factor float64) (xyz vector) {
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

// mediaRelative is a colour relative to the paper as the white point.
func mediaRelative(lab, paper vector) vector {
	xyz, white := labToXYZ(lab), labToXYZ(paper)
	for i := range xyz {
		xyz[i] *= d50[i] / white[i]
	}
	return xyzToLab(xyz)
}

// The constants of the CIE Lab formulas.
const (
	labDelta = 6.0 / 29
	labSlope = 3 * labDelta * labDelta
)

func labToXYZ(lab vector) (xyz vector) {
	y := (lab[0] + 16) / 116
	for i, f := range []float64{y + lab[1]/500, y, y - lab[2]/200} {
		if f > labDelta {
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
		if v := xyz[i] / d50[i]; v > labDelta*labDelta*labDelta {
			f[i] = math.Cbrt(v)
		} else {
			f[i] = v/labSlope + 4.0/29
		}
	}
	return vector{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// encodeLab is the 16-bit encoding of Lab in tables of version 2.
func encodeLab(lab vector) [3]uint16 {
	clamp := func(v float64) uint16 { return uint16(math.Round(min(max(v, 0), math.MaxUint16))) }
	return [3]uint16{clamp(lab[0] * 65280 / 100), clamp((lab[1] + 128) * 256), clamp((lab[2] + 128) * 256)}
}
