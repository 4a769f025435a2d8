package share

import (
	"math/rand/v2"
	"testing"
)

// overlaps agrees with a comparison with every range.
func TestOverlaps(t *testing.T) {
	random := rand.New(rand.NewPCG(2322, 3))
	for range 300 {
		var list [][2]int
		for at := random.IntN(4); at < 30 && random.IntN(8) > 0; {
			end := at + random.IntN(4) // may be empty
			list = append(list, [2]int{at, end})
			at = end + random.IntN(4)
		}
		for start := range 34 {
			for end := start + 1; end < 36; end++ {
				want := false
				for _, other := range list {
					want = want || start < other[1] && other[0] < end
				}
				if got := overlaps([2]int{start, end}, list); got != want {
					t.Fatalf("%d to %d in %v: %v", start, end, list, got)
				}
			}
		}
	}
}
