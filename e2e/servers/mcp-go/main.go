// Command mcp-go is a test server on mcp-go, a second MCP library in Go. It has
// a tool that asks in every way the library supports, one that asks twice, one
// that returns only a state, and one that never asks.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	only := flag.String("only", "", "speak just this version of the protocol")
	stdio := flag.Bool("stdio", false, "serve over standard input and output")
	flag.Parse()

	s := server.NewMCPServer("mcp-go-bakery", "1.0.0", server.WithToolCapabilities(true),
		server.WithElicitation(), server.WithRoots())
	s.EnableSampling()
	s.AddTool(mcp.NewTool("order", mcp.WithDescription("Orders bread; asks how many."),
		mcp.WithString("bread", mcp.Required())), order)
	s.AddTool(mcp.NewTool("inspect",
		mcp.WithDescription("Asks a person, a model and for roots in one round.")), inspect)
	s.AddTool(mcp.NewTool("wrap", mcp.WithDescription("Asks twice, one after the other.")), wrap)
	s.AddTool(mcp.NewTool("queue", mcp.WithDescription("Asks nothing, only to come back with its state.")),
		queue)
	s.AddTool(mcp.NewTool("price", mcp.WithDescription("Never asks."),
		mcp.WithNumber("loaves", mcp.Required())), price)

	if *stdio {
		log.Fatal(server.ServeStdio(s))
	}
	var options []server.StreamableHTTPOption
	if *only != "" {
		options = append(options, server.WithStreamableHTTPProtocolVersions(*only))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s/mcp\n", listener.Addr())
	log.Fatal(http.Serve(listener, server.NewStreamableHTTPServer(s, options...)))
}

func order(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if a := server.ElicitationResponse(r.Params.InputResponses, "amount"); a != nil {
		if a.Action != mcp.ElicitationResponseActionAccept {
			return mcp.NewToolResultText("nothing was ordered"), nil
		}
		bread := strings.TrimPrefix(r.Params.RequestState, "bread=")
		return mcp.NewToolResultText(fmt.Sprintf("ordered %v of %s", field(a, "loaves"), bread)), nil
	}
	bread := r.GetString("bread", "")
	return server.NewInputRequestBuilder("bread="+bread).
		Elicit("amount", question(fmt.Sprintf("How many loaves of %s?", bread), "loaves", "integer")).
		ToolResult(), nil
}

func inspect(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answers := r.Params.InputResponses
	who := server.ElicitationResponse(answers, "who")
	says := server.SamplingResponse(answers, "says")
	where := server.RootsResponse(answers, "where")
	if who != nil && says != nil && where != nil {
		if len(where.Roots) != 1 {
			return mcp.NewToolResultError("one root, please"), nil
		}
		return mcp.NewToolResultText(fmt.Sprintf("%v heard %q in %s", field(who, "name"),
			mcp.GetTextFromContent(says.Content), where.Roots[0].URI)), nil
	}
	return server.NewInputRequestBuilder("inspecting").
		Elicit("who", question("Who inspects?", "name", "string")).
		Sample("says", mcp.CreateMessageParams{
			Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser,
				Content: mcp.NewTextContent("Describe the smell.")}},
			MaxTokens: 50,
		}).
		Roots("where").
		ToolResult(), nil
}

func wrap(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if a := server.ElicitationResponse(r.Params.InputResponses, "ribbon"); a != nil {
		paper := strings.TrimPrefix(r.Params.RequestState, "paper=")
		return mcp.NewToolResultText(fmt.Sprintf("wrapped in %s with a %v ribbon", paper,
			field(a, "ribbon"))), nil
	}
	if a := server.ElicitationResponse(r.Params.InputResponses, "paper"); a != nil {
		return server.NewInputRequestBuilder(fmt.Sprintf("paper=%v", field(a, "paper"))).
			Elicit("ribbon", question("Which ribbon?", "ribbon", "string")).
			ToolResult(), nil
	}
	return server.NewInputRequestBuilder("unwrapped").
		Elicit("paper", question("Which paper?", "paper", "string")).
		ToolResult(), nil
}

func queue(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if r.Params.RequestState == "ticket 7" {
		return mcp.NewToolResultText("served with ticket 7"), nil
	}
	return server.NewInputRequestBuilder("ticket 7").ToolResult(), nil
}

func price(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(fmt.Sprintf("%v coins", 3*r.GetFloat("loaves", 0))), nil
}

func question(message, property, kind string) mcp.ElicitationParams {
	return mcp.ElicitationParams{
		Mode:    mcp.ElicitationModeForm,
		Message: message,
		RequestedSchema: map[string]any{
			"type":       "object",
			"properties": map[string]any{property: map[string]any{"type": kind}},
			"required":   []string{property},
		},
	}
}

func field(a *mcp.ElicitationResult, name string) any {
	content, _ := a.Content.(map[string]any)
	return content[name]
}
