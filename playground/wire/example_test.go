package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// A request to a server without a port. The parts arrive one by one.
func ExampleClient_Send() {
	listener := wire.NewListener("sample")
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Date"] = nil
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"method\":\"notifications/message\"}\n\n")
		fmt.Fprintf(w, "data: %s\n\n",
			`{"id":1,"result":{"resultType":"input_required","requestState":"…"}}`)
	})}
	go server.Serve(listener)
	defer server.Close()

	client := wire.New(wire.Config{InMemory: func(ctx context.Context, origin string) (net.Conn, bool) {
		if origin != "http://127.0.0.1:2322" {
			return nil, false
		}
		conn, _ := listener.Dial(ctx)
		return conn, true
	}})
	request := wire.Request{
		URL:    "http://127.0.0.1:2322/mcp/sample",
		Method: "tools/call",
		ID:     json.RawMessage(`1`),
		Params: json.RawMessage(`{"name":"résumé"}`),
	}
	frame, err := wire.Encode(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	head, _ := wire.ParseHead(frame.Head)
	fmt.Println("Mcp-Name:", head.Get("Mcp-Name"))
	client.Send(context.Background(), request.URL, frame, func(p wire.Part) error {
		fmt.Printf("%s: %.77q\n", p.Kind, p.Bytes)
		return nil
	})
	_, err = wire.Encode(wire.Request{URL: "https://bücher.example/"})
	fmt.Println(err)
	// Output:
	// Mcp-Name: =?base64?csOpc3Vtw6k=?=
	// received: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 120\r\nConnec"
	// message: "data: {\"method\":\"notifications/message\"}\n\n"
	// message: "data: {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"…\"}}\n\n"
	// encode request: bad_url: the host is not in ASCII; write an international name in its xn-- form
}
