// Command serve serves the samples alone, for trying them out.
package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

func main() {
	keys, err := seal.Generate()
	if err != nil {
		panic(err)
	}
	addr := "127.0.0.1:0"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		panic(err)
	}
	base := "http://" + l.Addr().String()
	c, err := sampletools.New(sampletools.Config{Keys: keys, BaseURL: base, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on " + base)
	http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			h = r.Host
		}
		if h != "127.0.0.1" && h != "localhost" && h != "[::1]" {
			http.Error(w, "forbidden host", 403)
			return
		}
		c.ServeHTTP(w, r)
	}))
}
