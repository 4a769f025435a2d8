package views_test

import (
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
)

// signedOutStories are calls that cannot go on, because the browser lacks what they
// were sent with.
func signedOutStories(b *fixtures) []story {
	card := func(name string, o exchangeview.SignedOut) story {
		o.Path, o.Server, o.Round, o.Asks = "/x/X1/rounds", "The shop at shop.example.com", 1, 1
		return story{group: "signed-out", name: name,
			page: b.exchange(deletion("s-1", confirm).x, func(in *exchangeview.Input) { in.SignedOut = &o })}
	}
	return []story{
		card("question", exchangeview.SignedOut{}),
		card("tried-to-send", exchangeview.SignedOut{Tried: true, Then: "send"}),
		card("other-browser", exchangeview.SignedOut{Elsewhere: true}),
		card("server-removed", exchangeview.SignedOut{Removed: true}),
		card("secret-lost", exchangeview.SignedOut{Locked: true}),
	}
}
