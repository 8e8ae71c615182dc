package typeset

import "errors"

// MayBeEmbedded is an error if the licence of a font, as its table OS/2 has it, does not
// allow it to be embedded, or not in parts.
func (t *Face) MayBeEmbedded() error {
	switch permission := t.EmbeddingPermission(); {
	case permission&0x000e == 0x0002:
		return errors.New("its licence does not allow it to be embedded (fsType in its table OS/2)")
	case permission&0x0200 != 0:
		return errors.New("its licence allows bitmaps alone to be embedded (fsType in its table OS/2)")
	case permission&0x0100 != 0:
		return errors.New("its licence does not allow it to be embedded in parts (fsType in its table OS/2)")
	}
	return nil
}
