package run

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// TestUnanswered: the newest numbers stay although their connections have ended.
func TestUnanswered(t *testing.T) {
	log := []playground.Event{
		{Seq: 1, Conn: 1, Kind: playground.Sent, Data: []byte("a")},
		{Seq: 2, Conn: 2, Kind: playground.Sent, Data: []byte("b")},
		{Seq: 3, Conn: 3, Kind: playground.Sent, Data: []byte("c")},
		{Seq: 4, Conn: 3, Kind: playground.Failed},
		{Seq: 5, Conn: 1, Kind: playground.Message, Data: []byte(": hi\n\n")},
		{Seq: 6, Conn: 1, Kind: playground.Cancelled, Data: []byte("d")},
	}
	kept := unanswered(log)
	if len(kept) != 3 || string(kept[0].Data) != "b" || kept[1].Conn != 3 || kept[1].Data != nil ||
		endOf(kept) != 6 || kept[2].Data != nil || string(log[5].Data) != "d" {
		t.Errorf("%+v", kept)
	}
}
