package sampletools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// voucher does something that must happen only once.
func voucher(c Config) scenario {
	office := voucherService{c, newBook(c, "voucher")}
	return scenario{
		Sample: Sample{
			Slug:    "voucher",
			Title:   "Voucher",
			Summary: "A voucher that can be redeemed once.",
			Teaches: "A state cannot ensure single use: a copied state is as valid as the original. " +
				"Single use needs memory, so the server records the number of a voucher when it is redeemed.",
			Try: []string{
				"Send the same retry twice: the second is refused, on any instance.",
				"Start the call again: you get a new voucher, which can be redeemed.",
			},
			Replay: "The same retry is refused, because its voucher has been redeemed. " +
				"All instances share that memory. It is lost when the program restarts. " +
				"A state that has not expired could then be used once more. " +
				"A real service would use a database.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			OnceOnly:  true,
			Start: Start{
				Label:  "Redeem a voucher",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"redeem_voucher","arguments":{"value":25}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "redeem_voucher", Title: "Redeem voucher",
			Description: "Issues a voucher and redeems it after a confirmation. Each voucher counts once.",
			Input: `{"type":"object","properties":{
				"value":{"type":"integer","minimum":1,"maximum":100,"description":"Value in euro"}},
					"required":["value"]}`,
			Run: office.redeem,
		}},
	}
}

// voucherService keeps the vouchers that were redeemed.
type voucherService struct {
	Config
	redeemed book
}

// redeem records the voucher's number before it answers, so that a second retry
// is refused.
func (o voucherService) redeem(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Value int `json:"value"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Value < 1 || args.Value > 100 {
		return nil, serve.ToolErrorf("value must be from 1 to 100.")
	}
	ticket, err := o.ticket(t)
	if err != nil {
		return nil, err
	}
	a, err := t.AskOne(serve.Form("redeem", fmt.Sprintf("Redeem voucher %s for %d euro?", ticket, args.Value),
		`{"type":"object","properties":{"redeem":{"type":"boolean","title":"Redeem it",`+
			`"default":true}},"required":["redeem"]}`))
	if err != nil {
		return nil, err
	}
	if !a.Accepted() || !a.Bool("redeem") {
		return serve.Text("Voucher %s was not redeemed and is still valid.", ticket), nil
	}
	first, err := o.redeemed.Put(ticket, "", t.Caller, maxTTL)
	if errors.Is(err, authserver.ErrFull) {
		o.Refuse(refusedTicket)
	}
	if err != nil {
		return nil, serve.ToolError(err.Error())
	}
	if !first {
		return nil, serve.ToolErrorf("Voucher %s was redeemed before. A voucher counts once.", ticket)
	}
	return serve.Text("Voucher %s redeemed for %d euro.", ticket, args.Value), nil
}

// ticket returns the voucher's number from the state, or draws one. A new one
// discards the answers in the request, since they have no voucher to redeem.
func (o voucherService) ticket(t *serve.Turn) (string, error) {
	var ticket string
	if ok, err := t.LoadWork(&ticket); ok || err != nil {
		return ticket, err
	}
	t.Responses = nil
	b := make([]byte, 6)
	if _, err := io.ReadFull(o.Rand, b); err != nil {
		return "", fmt.Errorf("draw ticket: %w", err)
	}
	ticket = fmt.Sprintf("%X", b)
	return ticket, t.SaveWork(ticket)
}
