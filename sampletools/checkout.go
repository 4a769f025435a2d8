package sampletools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// checkout requires a second factor for large amounts. A banking app shows a
// number and the user picks it from three. No secret is typed, since form mode
// must not ask for secrets (client/elicitation, security).
func checkout(c Config) scenario {
	shop := checkoutService{c}
	return scenario{
		Sample: Sample{
			Slug:    "checkout",
			Title:   "Checkout",
			Summary: "A second factor, but only for large amounts.",
			Teaches: "The requestState carries the number to match. " +
				"Only the server may read or change it. The same pattern works without MCP. " +
				"POST /samples/checkout/orders is a plain JSON API with the same two rounds.",
			Try: []string{
				"Buy for 20: no question. Buy for 900: the second factor is required.",
				"Set state=signed: the number can be read from the state before you answer. " +
					"That is why sealed is the default.",
				`POST {"item":"bike","amount":900} to /samples/checkout/orders, then again with the ` +
					`state and the answer.`,
			},
			Replay: "The same retry orders again. " +
				"Until it expires, a state is valid for any number of retries and guesses. " +
				"The voucher sample shows how to prevent that.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Buy a bike for 900",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"place_order","arguments":{"item":"bike","amount":900}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "place_order", Title: "Place order",
			Description: "Places an order. From 500 euro the user has to match a number. " +
				"Nothing is really bought.",
			Input: `{"type":"object","properties":{
				"item":{"type":"string","minLength":1,"maxLength":60,"description":"What to buy"},
				"amount":{"type":"number","exclusiveMinimum":0,"maximum":100000,
					"description":"Price in euro"}},
				"required":["item","amount"]}`,
			Run: shop.placeOrder,
		}},
		pages: shop.api(),
	}
}

// checkoutService serves the tool and the plain API.
type checkoutService struct{ Config }

// secondFactorFrom is the smallest amount that requires the second factor.
const secondFactorFrom = 500

// order holds the arguments of both the tool and the plain API.
type order struct {
	Item   string  `json:"item"`
	Amount float64 `json:"amount"`
}

func (o order) check() error {
	if o.Item == "" || len(o.Item) > 60 || o.Amount <= 0 || o.Amount > 100000 {
		return serve.ToolErrorf("item must have 1 to 60 characters, " +
			"and amount must be above 0 and at most 100000.")
	}
	return nil
}

func (o order) done() string {
	return fmt.Sprintf("Ordered %s for %.2f euro.", o.Item, o.Amount)
}

// factor is the number to match and the choices that are shown.
type factor struct {
	Number  string   `json:"number"`
	Choices []string `json:"choices"`
}

func (f factor) message(o order) string {
	return fmt.Sprintf("Paying %.2f euro needs a second factor. "+
		"Your (simulated) banking app shows %s. Which number does it show?", o.Amount, f.Number)
}

func (s checkoutService) placeOrder(_ context.Context, t *serve.Turn) (serve.Result, error) {
	o, err := serve.Arguments[order](t)
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return nil, err
	}
	if o.Amount < secondFactorFrom {
		return serve.Text("%s", o.done()), nil
	}
	f, err := s.loadFactor(t)
	if err != nil {
		return nil, err
	}
	choices, err := json.Marshal(f.Choices)
	if err != nil {
		return nil, err
	}
	a, err := t.AskOne(serve.Form("second_factor", f.message(o), fmt.Sprintf(
		`{"type":"object","properties":{"number":{"type":"string","enum":%s}},`+
			`"required":["number"]}`, choices)))
	if err != nil {
		return nil, err
	}
	switch {
	case !a.Accepted():
		return serve.Refused(a, "Nothing was ordered: the payment was declined.",
			"Nothing was ordered: the question was dismissed."), nil
	case a.Text("number") != f.Number:
		return nil, serve.ToolErrorf("Nothing was ordered: the number does not match.")
	}
	return serve.Text("%s The second factor matched.", o.done()), nil
}

// loadFactor returns the factor from the state, or draws a new one. A new one
// discards the answers in the request: they were sent before the question was
// asked, so they prove nothing.
func (s checkoutService) loadFactor(t *serve.Turn) (factor, error) {
	var f factor
	if ok, err := t.LoadWork(&f); ok || err != nil {
		return f, err
	}
	t.Responses = nil
	f, err := newFactor(s.Rand)
	if err != nil {
		return factor{}, err
	}
	return f, t.SaveWork(f)
}

// newFactor draws three different two-digit numbers, and one of them as the
// number to match.
func newFactor(random io.Reader) (factor, error) {
	var f factor
	for len(f.Choices) < 3 {
		n, err := rand.Int(random, big.NewInt(90))
		if err != nil {
			return factor{}, fmt.Errorf("draw number: %w", err)
		}
		if s := strconv.FormatInt(n.Int64()+10, 10); !slices.Contains(f.Choices, s) {
			f.Choices = append(f.Choices, s)
		}
	}
	f.Number = f.Choices[0]
	slices.Sort(f.Choices)
	return f, nil
}
