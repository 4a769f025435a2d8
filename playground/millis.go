package playground

import (
	"math"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Milliseconds returns a number of milliseconds that a server named as a Duration, the
// longest one for a number beyond it, and false for anything but a whole
// number.
func Milliseconds(n *jsontree.Node) (time.Duration, bool) {
	value, ok := n.Decimal()
	if !ok || !value.IsInt() {
		return 0, false
	}
	const most = int64(math.MaxInt64 / time.Millisecond)
	ms, fits := n.Int()
	if !fits {
		ms = most * int64(value.Sign())
	}
	return time.Duration(min(max(ms, -most), most)) * time.Millisecond, true
}
