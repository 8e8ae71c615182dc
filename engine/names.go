package engine

// LevelNames are the levels as files write them, most severe first.
func LevelNames() []string { return namesOf(Levels) }

// LayerNames are the layers as files write them.
func LayerNames() []string { return namesOf(layers) }

// RowKindNames are the kinds of rows as tables write them.
func RowKindNames() []string { return namesOf(rowKinds) }

func namesOf[T ~string](list []T) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = string(list[i])
	}
	return names
}
