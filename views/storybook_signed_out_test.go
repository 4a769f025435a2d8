package views_test

import (
	"github.com/mrtr-playground/mrtr-playground/views"
)

// signedOutStories are calls that cannot go on, because the browser lacks what they
// were sent with.
func signedOutStories(b *fixtures) []story {
	card := func(name string, o views.SignedOut) story {
		o.Path, o.Server, o.Round, o.Asks = "/x/X1/rounds", "The shop at shop.example.com", 1, 1
		return story{group: "signed-out", name: name,
			page: b.exchange(deletion("s-1", confirm).x, func(in *views.ExchangeInput) { in.SignedOut = &o })}
	}
	return []story{
		card("question", views.SignedOut{}),
		card("tried-to-send", views.SignedOut{Tried: true, Then: "send"}),
		card("other-browser", views.SignedOut{Elsewhere: true}),
		card("server-removed", views.SignedOut{Removed: true}),
		card("secret-lost", views.SignedOut{Locked: true}),
	}
}
