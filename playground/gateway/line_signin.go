package gateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func challenge(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		was := challengeOf(u)
		if was == nil || q.client.Head.Status == 0 {
			return
		}
		is := challengeOf(q.client)
		t.check(q, is != nil, "The challenge of the upstream, "+wwwAuthenticate+", did not reach the client.")
		for _, name := range []string{"error", "scope"} {
			t.check(
				q,
				is == nil || is[name] == was[name],
				fmt.Sprintf("%s of the challenge was %s and became %s.",
					name, was[name], text.Visible(cmp.Or(is[name], "nothing"), 80)),
			)
		}
		t.check(q, is == nil || was["resource_metadata"] == "" || is["resource_metadata"] != "",
			"The challenge lost the address of the metadata.")
	})
	r.pairs(func(q *request, u playground.Round) {
		if q.call.Token != "" {
			t.check(q, bearer(u) != "", "The client sent a token, and the upstream got none.")
		}
	})
	for _, c := range r.calls {
		for _, q := range c.requests {
			if c.Metadata == "" {
				continue
			}
			var n *jsontree.Node
			if list := q.client.Messages; len(list) > 0 {
				n = list[0].Node // decompressed
			}
			good := n != nil && q.client.Head.Status == 200
			sentence := "The metadata that the challenge names are not served."
			if q.client.Head.Status == 200 && q.client.Kind == playground.OutcomeTransportError {
				sentence = "The metadata that the challenge names did not arrive whole: " +
					strings.TrimSuffix(text.Visible(q.client.Detail, 300), ".") + "."
			}
			t.check(q, good, sentence)
			if good {
				resource := redact.MaskURL(n.Get("resource").Str()) // as Metadata is
				t.check(q, resource == c.Metadata, fmt.Sprintf(
					"The metadata are about %s, and the client calls %s.",
					text.Visible(resource, 80), text.Visible(c.Metadata, 80)))
			}
		}
	}
}

// MetadataOf returns the address of the metadata that the challenge of a call names, or "".
func MetadataOf(c Call) string {
	for _, r := range playground.Connections(c.events()) {
		if m := challengeOf(r); m != nil {
			return m["resource_metadata"]
		}
	}
	return ""
}

const wwwAuthenticate = "WWW-Authenticate"

// challengeOf returns the parameters of the Bearer challenge of a response, or nil.
func challengeOf(r playground.Round) map[string]string {
	for _, c := range wire.Challenges(r.Head.Values(wwwAuthenticate)) {
		if strings.EqualFold(c.Scheme, "Bearer") {
			list := map[string]string{}
			for _, p := range c.Params {
				list[p.Name] = p.Value
			}
			return list
		}
	}
	return nil
}

// bearer returns the value of the Authorization field of a request with a bearer token, or "".
// What recorded it may have masked it, with its scheme or without.
func bearer(r playground.Round) string {
	value := head(r).Get("Authorization")
	scheme, token, _ := strings.Cut(value, " ")
	if isMasked(scheme) || strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(token) != "" {
		return value
	}
	return ""
}

// isMasked reports whether what recorded a value masked it, or a part of it that it knew.
func isMasked(value string) bool { return strings.Contains(value, "****") }

// lastWord returns the token in the value of an Authorization field.
func lastWord(value string) string { return value[strings.LastIndex(value, " ")+1:] }

// ownToken says that the upstream got a token that the client had not sent.
func ownToken(r *recordings) (sentence string) {
	r.pairs(func(q *request, u playground.Round) {
		got, sent := bearer(u), head(q.client).Get("Authorization")
		if q.call.Token != "" {
			sent = "Bearer " + q.call.Token
		}
		token, own := lastWord(got), lastWord(sent)
		another := token != own
		if isMasked(got) || isMasked(sent) || strings.Trim(token, "*") == "" {
			another = len(token) != len(own) // which a mask keeps
		}
		if got != "" && another {
			sentence = "The upstream gets another token than the client sent."
		}
	})
	return sentence
}

// IsChallenged reports whether the client of a call got a challenge.
func IsChallenged(c Call) bool {
	return slices.ContainsFunc(playground.Connections(c.events()), func(r playground.Round) bool {
		return challengeOf(r) != nil
	})
}
