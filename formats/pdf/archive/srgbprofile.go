package archive

import (
	"encoding/binary"
	"math"
	"sync"
)

// sRGBName identifies the colour space of IEC 61966-2-1.
const sRGBName = "sRGB IEC61966-2.1"

// The published parameters: the chromaticities of the primaries of sRGB, its white
// point, the white point D50 of ICC profiles, and the Bradford matrix that adapts
// colours from one white point to another.
var (
	primaries = [3][2]float64{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}} // red, green, blue
	white     = vector{0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290}
	d50       = vector{0.9642, 1, 0.8249}
	bradford  = matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
)

// curveSteps is the number of samples of the tone curve.
const curveSteps = 1024

// sRGB is an ICC profile, version 2, of the sRGB colour space: three colourants
// and one tone curve.
var sRGB = sync.OnceValue(func() []byte {
	curve := binary.BigEndian.AppendUint32(iccType("curv"), curveSteps)
	for i := range curveSteps {
		value := linear(float64(i) / (curveSteps - 1))
		curve = binary.BigEndian.AppendUint16(curve, uint16(math.Round(value*math.MaxUint16)))
	}
	m := fromSRGB()
	colourant := func(i int) []byte { return iccXYZ(vector{m[0][i], m[1][i], m[2][i]}) }
	return iccProfile("mntr", "RGB ", "XYZ ", sRGBName, []iccTag{
		{"wtpt", iccXYZ(d50)},
		{"rXYZ", colourant(0)}, {"gXYZ", colourant(1)}, {"bXYZ", colourant(2)},
		{"rTRC", curve}, {"gTRC", curve}, {"bTRC", curve},
	})
})

// linear is the linear light of a value of sRGB.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// fromSRGB is the matrix from linear sRGB to XYZ relative to D50.
func fromSRGB() matrix {
	var m matrix
	for i, p := range primaries {
		m[0][i], m[1][i], m[2][i] = p[0]/p[1], 1, (1-p[0]-p[1])/p[1]
	}
	strength := m.inverse().times(white) // so that the sum of the primaries is the white point
	for row := range m {
		for i := range m[row] {
			m[row][i] *= strength[i]
		}
	}
	from, to := bradford.times(white), bradford.times(d50)
	scale := matrix{{to[0] / from[0], 0, 0}, {0, to[1] / from[1], 0}, {0, 0, to[2] / from[2]}}
	return bradford.inverse().product(scale).product(bradford).product(m)
}

type (
	vector [3]float64
	matrix [3]vector
)

func (m matrix) times(v vector) (r vector) {
	for i := range r {
		r[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return r
}

func (m matrix) product(n matrix) (r matrix) {
	for i := range r {
		for j := range r[i] {
			r[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
	}
	return r
}

func (m matrix) inverse() (r matrix) {
	cofactor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	determinant := m[0][0]*cofactor(0, 0) + m[0][1]*cofactor(0, 1) + m[0][2]*cofactor(0, 2)
	for i := range r {
		for j := range r[i] {
			r[i][j] = cofactor(j, i) / determinant
		}
	}
	return r
}
