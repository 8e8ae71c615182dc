//go:build !js

package logo

import (
	"fmt"
	"strings"

	"github.com/antchfx/xmlquery"
)

// A useCount measures what is drawn once every use of others is expanded. Each element is
// measured once, whatever uses it. The library expands without a bound, and where elements use
// themselves it exhausts the stack, which ends the program.
type useCount struct {
	ids     map[string]*xmlquery.Node
	extents map[*xmlquery.Node]extent // the zero one for elements that are being measured
}

// An extent is how many elements an element draws, itself included, and how deep they are.
type extent struct{ sum, depth int }

// boundUses refuses a picture that uses itself, or that has too many elements once its uses
// are expanded.
func boundUses(root *xmlquery.Node) error {
	c := &useCount{ids: map[string]*xmlquery.Node{}, extents: map[*xmlquery.Node]extent{}}
	c.index(root)
	_, err := c.measure(root, 0)
	return err
}

func (c *useCount) index(n *xmlquery.Node) {
	if id := n.SelectAttr("id"); id != "" && c.ids[id] == nil {
		c.ids[id] = n
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.index(child)
	}
}

// measure is the extent of an element that is so deep in others.
func (c *useCount) measure(n *xmlquery.Node, depth int) (extent, error) {
	known, begun := c.extents[n]
	switch {
	case begun && known.sum == 0:
		return known, fmt.Errorf("the element %q uses itself; remove the use, or save it as a PNG", n.SelectAttr("id"))
	case depth+known.depth > maxSVGDepth:
		return known, fmt.Errorf("its elements use others more than %d levels deep; save it with its uses expanded", maxSVGDepth)
	case begun:
		return known, nil
	}
	c.extents[n] = extent{}
	own := extent{sum: 1}
	for _, within := range c.within(n) {
		more, err := c.measure(within, depth+1)
		if err != nil {
			return own, err
		}
		if n.Data == "defs" { // what it has is drawn where it is used
			more.sum = 1
		}
		if own.sum += more.sum; own.sum > maxSVGElements {
			return own, fmt.Errorf("it draws more than %d elements once its uses are expanded; save it as a PNG", maxSVGElements)
		}
		own.depth = max(own.depth, more.depth+1)
	}
	c.extents[n] = own
	return own, nil
}

// within are the elements inside of one, and the one that it uses.
func (c *useCount) within(n *xmlquery.Node) []*xmlquery.Node {
	var elements []*xmlquery.Node
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == xmlquery.ElementNode {
			elements = append(elements, child)
		}
	}
	if used := c.used(n); used != nil {
		elements = append(elements, used)
	}
	return elements
}

// used is the element that a use refers to; nil where there is none.
func (c *useCount) used(n *xmlquery.Node) *xmlquery.Node {
	if n.Data != "use" {
		return nil
	}
	for _, a := range n.Attr {
		if id, local := strings.CutPrefix(a.Value, "#"); a.Name.Local == "href" && local {
			return c.ids[id]
		}
	}
	return nil
}
