package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
)

// Input has the parts that the Lab needs besides the record of a call.
type Input struct {
	Mine     bool                        // the user confirmed that the server may be tested
	OnceOnly bool                        // of a sample: it accepts each state once
	Expired  func(playground.Round) bool // whether the state of a Round has expired
	Session  []playground.Exchange       // its session; nil where neither a branch nor the Lab is shown
	Rows     []session.ExchangeRow       // its session, for the tree of branches
	Showed   map[string]boardview.Showed // by the experiments of Rows that have ended, by exchange

	Connection server.Connection // to the server; zero if it was removed
	Running    bool              // all experiments are being run
}
