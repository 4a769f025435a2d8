package playground

import (
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// ErrForeign is returned for a decision about the call of a foreign client, which alone
// goes on with it.
var ErrForeign = errors.New("the call belongs to a foreign client")

// Unanswered returns the connections of a log whose responses have not ended, in
// order.
func Unanswered(log []Event) []int {
	var open, onLine []int
	for _, e := range log {
		switch e.Kind {
		case Sent:
			frame := wire.Split(e.Data)
			if frame.IsLine() {
				message, _ := jsontree.Parse(frame.Body, jsontree.Limits{})
				if IsOneWay(message) {
					continue
				}
				onLine = append(onLine, e.Conn)
			}
			open = append(open, e.Conn)
			continue
		case Received:
			frame := wire.Split(e.Data)
			head, err := wire.ParseHead(frame.Head)
			if err == nil && head.IsStream() || slices.Contains(onLine, e.Conn) && !e.IsResponse() {
				continue
			}
		case Message:
			if !e.IsResponse() {
				continue
			}
		case Failed, Cancelled, Interrupted:
		default:
			continue
		}
		open = slices.DeleteFunc(open, func(conn int) bool { return conn == e.Conn })
	}
	return open
}
