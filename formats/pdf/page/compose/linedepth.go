package compose

import "einvoice/model"

// lineDepths are how deep each line is below others: lines name the line that they belong to, in
// any order. A line that belongs to none of them, or to itself, is at the top.
func lineDepths(lines []model.Line) []int {
	at := map[string]int{}
	for i := range lines {
		if id := lines[i].Identifier; id.Present {
			if _, twice := at[id.Raw]; !twice {
				at[id.Raw] = i
			}
		}
	}
	depths := make([]int, len(lines))
	for i := range lines {
		for j := i; lines[j].ParentLineIdentifier.Present && depths[i] < maxIndent; depths[i]++ {
			above, known := at[lines[j].ParentLineIdentifier.Raw]
			if !known || above == j {
				break
			}
			j = above
		}
	}
	return depths
}
