//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A turn is roundsInTurn rounds by inParallel clients, once through the pages
// and once straight to the sample.
const (
	roundsInTurn = 400
	inParallel   = 4
)

// compare measures the round that answers the first question, through the pages
// and straight to the sample, turn by turn in one run against one program.
func compare(ctx context.Context, o options, out io.Writer) error {
	p, err := start(ctx, o)
	if err != nil {
		return err
	}
	defer p.stop()
	var pages, bare cost
	clients := make([]*browser, inParallel)
	for i := range clients {
		clients[i] = newBrowser(p.url, p.url, "")
	}
	for range o.turns {
		paths := make([]string, roundsInTurn)
		if err := spread(paths, func(client, i int) (err error) {
			paths[i], err = clients[client].begin(ctx)
			return err
		}); err != nil {
			return err
		}
		if err := pages.add(p, paths, func(client, i int) error {
			return clients[client].answer(ctx, paths[i], firstAnswer, secondQuestion)
		}); err != nil {
			return err
		}
		if err := bare.add(p, paths, func(client, _ int) error {
			return bareRound(ctx, clients[client].client, p.url)
		}); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "one round, %d at a time, %d rounds each\n", inParallel, o.turns*roundsInTurn)
	fmt.Fprintf(out, "through the pages:      %v\n", pages)
	fmt.Fprintf(out, "straight to the sample: %v\n", bare)
	fmt.Fprintf(out, "ratio: %.2f of the sample's rounds a second, %.2f times its processor time\n",
		pages.rate()/bare.rate(), float64(pages.cpu)/float64(bare.cpu))
	return nil
}

// cost is the cost of rounds.
type cost struct {
	rounds    int
	took, cpu time.Duration
}

// add does one thing for each path and adds its cost for the program.
func (c *cost) add(p *program, paths []string, do func(client, i int) error) error {
	cpu, err := p.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := spread(paths, do); err != nil {
		return err
	}
	c.took += time.Since(began)
	c.rounds += len(paths)
	used, err := p.cpu()
	c.cpu += used - cpu
	return err
}

func (c cost) rate() float64 { return float64(c.rounds) / c.took.Seconds() }

func (c cost) String() string {
	return fmt.Sprintf("%6.0f rounds a second, %.2f ms of processor time each", c.rate(),
		float64(c.cpu.Microseconds())/1000/float64(c.rounds))
}

// spread does one thing for each path, by inParallel clients.
func spread(paths []string, do func(client, i int) error) error {
	errs := make([]error, inParallel)
	var all sync.WaitGroup
	for client := range inParallel {
		all.Go(func() {
			for i := client; i < len(paths) && errs[client] == nil; i += inParallel {
				errs[client] = do(client, i)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// bareMessage is the retry that answers the first question (basic/patterns/mrtr,
// "Client Requirements").
const bareMessage = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"update_work_item",` +
	`"arguments":{"workItemId":4522,"fields":{"System.State":"Resolved"}},` +
	`"inputResponses":{"resolution":{"action":"accept","content":{"resolution":"Duplicate"}}},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`

// bareRound sends the retry to the sample, as any MCP client does.
func bareRound(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp/azure-devops",
		strings.NewReader(bareMessage))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "update_work_item",
	} {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := readText(res)
	if err != nil {
		return err
	}
	return page{status: res.StatusCode, text: body}.want(http.StatusOK, `"duplicate_of"`)
}
