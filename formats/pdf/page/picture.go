package page

import "errors"

// A picture is a logo.
type picture struct{ width, height float64 }

// fit is the largest size within an area.
func (p *picture) fit(width, height float64) (float64, float64) {
	scale := min(width/p.width, height/p.height)
	return p.width * scale, p.height * scale
}

func (c *composer) picture(section *element, p *picture, alt string, x, y, width, height float64) {}

// A paper is letter paper.
type paper struct{}

func (l *Look) readPictures(read func(string) ([]byte, error)) error {
	return errors.New("not yet")
}

func newOutlineTypeface(*typeface) (*typeface, error) { return nil, errors.New("not yet") }
