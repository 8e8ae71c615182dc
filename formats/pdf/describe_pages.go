package pdf

import (
	"errors"
	"fmt"
	"time"

	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// pages tells of the pages: their text, the fonts that it is shown in, and
// whether colours depend on the device.
func (d *describer) pages() error {
	c := d.container
	left := c.limits.Decoded - c.decoded
	if left <= 0 {
		return beyond("the streams of the PDF decompress to more than the %d bytes that are allowed", c.limits.Decoded)
	}
	shown, err := text.Read(c.context, text.Limits{Decoded: left, Depth: c.limits.Depth, Time: max(time.Until(d.deadline), 1)})
	for _, f := range shown.Fonts[:min(len(shown.Fonts), mostDescribed)] {
		font := model.ContainerFont{Name: present(f.Name), Page: model.NewText(fmt.Sprintf("page %d", f.Page))}
		if f.Embedded {
			font.Embedded = model.NewText("true")
		}
		d.out.Fonts = append(d.out.Fonts, font)
	}
	d.out.DeviceColour = present(shown.DeviceColour)
	if err == nil {
		d.out.Pages = shown.Pages
	}
	if e := c.charge(shown.Decoded); e != nil {
		return e
	}
	if errors.Is(err, text.ErrLimit) && !time.Now().Before(d.deadline) {
		return tooSlow()
	}
	return nil
}
