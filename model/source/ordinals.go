package source

// few is how many siblings are counted anew for each path; an element with
// more children has them numbered once for all paths, or a thousand findings
// in a thousand lines would count a million siblings.
const few = 32

// ordinals holds for each element its number among the siblings of its name,
// 0 where it has none.
type ordinals []int32

// ordinal is the number of n among the siblings of its name, 0 if it is alone.
func (t *Tree) ordinal(n Node) int32 {
	if all := t.ordinals.Load(); all != nil {
		return (*all)[n]
	}
	position, count, walked := int32(0), int32(0), 0
	for c := range t.Children(t.Parent(n)) {
		if walked++; walked > few {
			made := t.number() // twice, if two callers race: equal results
			t.ordinals.Store(&made)
			return made[n]
		}
		if t.Name(c) == t.Name(n) {
			count++
		}
		if c == n {
			position = count
		}
	}
	if count == 1 {
		return 0
	}
	return position
}

// number counts all siblings of the document in one walk.
func (t *Tree) number() ordinals {
	type siblings struct {
		parent Node
		name   Name
	}
	first := make(map[siblings]Node, len(t.Elements))
	last := make(map[siblings]int32)
	all := make(ordinals, len(t.Elements))
	for i := 2; i < len(t.Elements); i++ {
		n := Node(i)
		key := siblings{t.Parent(n), t.Name(n)}
		head, seen := first[key]
		if !seen {
			first[key] = n
			continue
		}
		count := max(last[key], 1) + 1
		last[key], all[n] = count, count
		all[head] = 1
	}
	return all
}
