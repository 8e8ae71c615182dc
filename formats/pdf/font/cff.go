package font

// The operators of CFF dictionaries that are read. 1200 is added to the second byte of
// a two-byte operator.
const (
	opCharset        = 15
	opEncoding       = 16
	opCharStrings    = 17
	opPrivate        = 18
	opSubrs          = 19
	opDefaultWidth   = 20
	opNominalWidth   = 21
	opFontMatrix     = 1207
	opCharstringType = 1206
	opROS            = 1230
	opFDArray        = 1236
	opFDSelect       = 1237
)

// A cffFont is a CFF font that is being read.
type cffFont struct {
	data    []byte
	strings [][]byte
	global  [][]byte
	top     cffDict
	damaged bool // some DICT is
}

// A privateDict is a Private DICT, of the whole font or of a font of FDArray.
type privateDict struct {
	defaultWidth, nominalWidth float64
	subroutines                [][]byte
	scale                      float64 // from font units to thousandths
}

func parseCFF(data []byte) (*Font, error) {
	c := &cffFont{data: data}
	_, at := c.index(u8(data, 2)) // names
	tops, at := c.index(at)
	c.strings, at = c.index(at)
	c.global, _ = c.index(at)
	if len(tops) == 0 {
		return nil, errDamaged
	}
	c.top = c.dict(tops[0])
	if t, set := c.top[opCharstringType]; set && len(t) == 1 && t[0] != 2 {
		return nil, errDamaged
	}
	glyphs, _ := c.index(c.top.number(opCharStrings))
	if len(glyphs) == 0 {
		return nil, errDamaged
	}
	f := &Font{Kind: CFF, Glyphs: len(glyphs), widths: make([]float64, len(glyphs))}
	_, f.CID = c.top[opROS]
	privates, selected := c.privates(len(glyphs), f.CID)
	if c.damaged {
		return nil, errDamaged
	}
	for i, g := range glyphs {
		f.widths[i] = charstringWidth(g, privates[min(selected(i), len(privates)-1)], c.global)
	}
	sids := c.charset(len(glyphs), f.CID)
	if f.CID {
		f.cids = map[int]int{}
		for glyph, cid := range sids {
			if _, known := f.cids[cid]; !known {
				f.cids[cid] = glyph
			}
		}
		return f, nil
	}
	f.names = make([]string, len(sids))
	for glyph, sid := range sids {
		f.names[glyph] = c.name(sid)
	}
	f.builtIn, f.second = c.encoding(f.names)
	return f, nil
}

// privates are the Private DICTs of a font, and which of them each glyph uses.
func (c *cffFont) privates(glyphs int, cid bool) (all []privateDict, selected func(glyph int) int) {
	scale := c.top.scale()
	if !cid {
		return []privateDict{c.private(c.top, scale)}, func(int) int { return 0 }
	}
	fonts, _ := c.index(c.top.number(opFDArray))
	for _, f := range fonts {
		d := c.dict(f)
		s := scale
		if _, own := d[opFontMatrix]; own {
			if _, both := c.top[opFontMatrix]; both {
				s = scale / 1000 * d.scale()
			} else {
				s = d.scale()
			}
		}
		all = append(all, c.private(d, s))
	}
	if all == nil {
		all = []privateDict{{scale: scale}}
	}
	at := c.top.number(opFDSelect)
	if at == 0 {
		return all, func(int) int { return 0 }
	}
	choice := make([]int, glyphs)
	switch u8(c.data, at) {
	case 0:
		for i := range choice {
			choice[i] = u8(c.data, at+1+i)
		}
	case 3:
		reached := 0 // the next glyph: of ranges that overlap, each glyph is read once
		for i := range u16(c.data, at+1) {
			next := u16(c.data, at+6+3*i)
			for ; reached < min(next, glyphs); reached++ {
				choice[reached] = u8(c.data, at+5+3*i)
			}
		}
	}
	return all, func(glyph int) int { return choice[glyph] }
}

// dict reads a DICT of the font.
func (c *cffFont) dict(b []byte) cffDict {
	d, intact := parseDict(b)
	c.damaged = c.damaged || !intact
	return d
}

func (c *cffFont) private(d cffDict, scale float64) privateDict {
	p := privateDict{scale: scale}
	sizeAndOffset := d[opPrivate]
	if len(sizeAndOffset) != 2 {
		return p
	}
	size, at := int(sizeAndOffset[0]), int(sizeAndOffset[1])
	entries := c.dict(part(c.data, at, size))
	p.defaultWidth, p.nominalWidth = entries.float(opDefaultWidth), entries.float(opNominalWidth)
	if offset := entries.number(opSubrs); offset != 0 {
		p.subroutines, _ = c.index(at + offset)
	}
	return p
}

// charset is the SID of the name of each glyph, or its CID.
func (c *cffFont) charset(glyphs int, cid bool) []int {
	sids := make([]int, glyphs)
	at := c.top.number(opCharset)
	if at <= 2 { // a predefined charset
		for i := range sids {
			sids[i] = i // ISOAdobe; the Expert charsets are not seen in PDFs
		}
		if cid || at == 0 {
			return sids
		}
		return make([]int, glyphs)
	}
	format := u8(c.data, at)
	at++
	for g := 1; g < glyphs && at < len(c.data); {
		first, left := u16(c.data, at), 0
		at += 2
		switch format {
		case 1:
			left = u8(c.data, at)
			at++
		case 2:
			left = u16(c.data, at)
			at += 2
		}
		for i := 0; i <= left && g < glyphs; i++ {
			sids[g] = first + i
			g++
		}
	}
	return sids
}

// name is the string of an SID.
func (c *cffFont) name(sid int) string {
	standard := names().cff
	if sid < len(standard) {
		return standard[sid]
	}
	if sid -= len(standard); sid < len(c.strings) {
		return string(c.strings[sid])
	}
	return ""
}

// encoding is the built-in encoding: the names of glyphs by code. The supplement is among
// them.
func (c *cffFont) encoding(glyphNames []string) (codes, supplement map[int]string) {
	codes, supplement = map[int]string{}, map[int]string{}
	at := c.top.number(opEncoding)
	if at <= 1 {
		name := "StandardEncoding"
		if at == 1 {
			name = "MacExpertEncoding"
		}
		standard, _ := Encoding(name)
		for code, n := range standard {
			codes[code] = n
		}
		return codes, nil
	}
	format, glyph := u8(c.data, at), 1
	set := func(code int) {
		if glyph < len(glyphNames) {
			codes[code] = glyphNames[glyph]
		}
		glyph++
	}
	count := u8(c.data, at+1)
	at += 2
	for range count {
		first := u8(c.data, at)
		at++
		set(first)
		if format&0x7F == 1 {
			for i := range u8(c.data, at) {
				set(first + 1 + i)
			}
			at++
		}
	}
	if format&0x80 != 0 {
		for i := range u8(c.data, at) {
			code, name := u8(c.data, at+1+3*i), c.name(u16(c.data, at+2+3*i))
			codes[code], supplement[code] = name, name
		}
	}
	return codes, supplement
}

// index reads an INDEX, and returns the offset of its end.
func (c *cffFont) index(at int) (items [][]byte, end int) {
	count, size := u16(c.data, at), u8(c.data, at+2)
	if count == 0 {
		return nil, at + 2
	}
	if size < 1 || size > 4 || at < 0 || at+3+size*(count+1) > len(c.data) {
		return nil, len(c.data)
	}
	offset := func(i int) (v int) {
		for j := range size {
			v = v<<8 | u8(c.data, at+3+size*i+j)
		}
		return v
	}
	base := at + 2 + size*(count+1)
	for i := range count {
		items = append(items, part(c.data, base+offset(i), offset(i+1)-offset(i)))
	}
	return items, base + offset(count)
}
