package inspect

import (
	"errors"
	"fmt"
	"time"

	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// pages describes the pages: their text, the fonts in which it is visible, and
// whether a colour depends on the device.
func (i *inspector) pages() {
	if i.Err() != nil {
		return
	}
	shown, err := text.Read(i.container, text.Limits{Depth: i.container.Limits().Depth, Time: max(time.Until(i.deadline), 1)})
	for _, f := range shown.Fonts[:min(len(shown.Fonts), maxListed)] {
		font := model.ContainerFont{Name: optional(f.Name), Page: model.NewText(fmt.Sprintf("page %d", f.Page))}
		if f.Embedded {
			font.Embedded = model.NewText("true")
		}
		i.out.Fonts = append(i.out.Fonts, font)
	}
	i.out.DeviceColour = optional(shown.DeviceColour)
	if err == nil || errors.Is(err, text.ErrLimit) {
		i.out.Pages = shown.Pages // what is beyond the limit shows nobody the amount that is looked for
	}
	i.Decoded(0) // text.Read may have used up the limit
	if errors.Is(err, text.ErrLimit) {
		i.InTime()
	}
}
