package pdfa

import (
	"encoding/binary"
	"math"
	"testing"
)

// The colourants of sRGB under D50, as they are published in many places.
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
