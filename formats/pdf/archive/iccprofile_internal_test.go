package archive

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// The colourants of sRGB relative to D50 are the published ones.
func TestSRGB(t *testing.T) {
	profile := sRGB()
	if got := binary.BigEndian.Uint32(profile); int(got) != len(profile) {
		t.Errorf("the profile says it has %d bytes, not %d", got, len(profile))
	}
	tags := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint32(profile[128:])) {
		entry := profile[132+12*i:]
		start := binary.BigEndian.Uint32(entry[4:])
		tags[string(entry[:4])] = profile[start:][:binary.BigEndian.Uint32(entry[8:])]
	}
	for name, want := range map[string]vector{
		"rXYZ": {0.4360, 0.2225, 0.0139}, "gXYZ": {0.3851, 0.7169, 0.0971}, "bXYZ": {0.1431, 0.0606, 0.7141}, "wtpt": d50,
	} {
		for i, w := range want {
			if got := float64(int32(binary.BigEndian.Uint32(tags[name][8+4*i:]))) / 65536; math.Abs(got-w) > 0.0002 {
				t.Errorf("%s[%d] is %.4f, want %.4f", name, i, got, w)
			}
		}
	}
	if curve := tags["gTRC"]; len(curve) != 12+2*curveSteps || curve[len(curve)-1] != 0xFF || curve[13] != 0 {
		t.Error("the curve does not go from 0 to 1")
	}
}

// White paper is white, solid inks have the colours of the data, and more ink is
// never lighter.
func TestCMYKProfile(t *testing.T) {
	if !isUsableProfile(cmykProfile(), 4) || !isUsableProfile(sRGB(), 3) || isUsableProfile(sRGB(), 4) {
		t.Error("a profile is not recognised")
	}
	_, table, _ := bytes.Cut(cmykProfile()[200:], []byte("mft2"))
	table = table[4+4+36+4+4*4:]
	lab := func(i int) (v [3]float64) {
		for j := range v {
			v[j] = float64(binary.BigEndian.Uint16(table[6*i+2*j:])) / 256
		}
		return [3]float64{v[0] / 2.55, v[1] - 128, v[2] - 128}
	}
	last := cmykSteps - 1
	if got := lab(0); math.Abs(got[0]-100) > 0.1 || math.Abs(got[1]) > 0.1 || math.Abs(got[2]) > 0.1 {
		t.Errorf("paper is %v", got)
	}
	if got := lab(last * cmykSteps * cmykSteps * cmykSteps); got[0] < 50 || got[0] > 62 || got[1] > -30 || got[2] > -40 {
		t.Errorf("cyan is %v", got)
	}
	for i := 1; i <= last; i++ {
		if lab(i)[0] >= lab(i - 1)[0] {
			t.Errorf("step %d of black is not darker", i)
		}
	}
}
