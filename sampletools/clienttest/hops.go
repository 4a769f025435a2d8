package clienttest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// largeText is the size of the text of hop_large, in bytes.
const largeText = 200 << 10

// hopValues are the values that a hop may change: numbers beyond doubles, with exponents and
// with a fraction of zero, letters outside ASCII, null, the empty values, and members that the
// specification does not define.
const hopValues = `"big":9007199254740993,"huge":123456789012345678901234567890,"exponent":1.5E+300,` +
	`"tiny":1e-320,"zero":1.0,"text":"Gr\u00fc\u00dfe e\u0301 \u4e16\u754c \ud83d\ude42 \u2028",` +
	`"nothing":null,"blank":"","list":[],"object":{},"x-unknown":{"a":[null,1]}`

// hops are further tools, for the test of what stands between a client and a server. They
// are beside the test of clients: see Config.Hops.
func hops() []scenario {
	return []scenario{
		tool("hop_result", "A rich result", "Returns numbers, texts and empty values of every kind.", "",
			func(c *call) {
				c.send(
					http.StatusOK,
					c.messageWith(`"resultType":"complete","isError":false,"x-unknown":{"kept":true},`+
						`"content":[{"type":"text","text":"Gr\u00fc\u00dfe \ud83d\ude42","x-unknown":1}],`+
						`"structuredContent":{`+hopValues+`}`,
						`"dev.mrtr-playground/hop":{"n":9007199254740993}`),
				)
			}),
		tool("hop_error_result", "A tool that fails", "Returns a result with isError.", "", func(c *call) {
			c.result(`"resultType":"complete","isError":true,"content":[{"type":"text",` +
				`"text":"It failed on purpose."}],"structuredContent":{"code":7}`)
		}),
		tool("hop_surrogates", "Half of a pair", "Returns a text with a lone surrogate.",
			"A string has half of a surrogate pair.", func(c *call) {
				c.result(`"resultType":"complete","content":[{"type":"text","text":"Half: \ud83d."}]`)
			}),
		tool("hop_large", "A large result", "Returns a text of 200 KiB.", "", func(c *call) {
			c.done(strings.Repeat("0123456789abcdef", largeText/16))
		}),
		tool("hop_question", "A rich question", "Asks with numbers, texts and empty values of every kind.",
			"", once(func(c *call) {
				c.askWith("state-"+c.mark(1), question{c.key("rich"), elicit,
					`{"mode":"form","message":"Gr\u00fc\u00dfe? \ud83d\ude42","requestedSchema":` +
						`{"type":"object","properties":{"z":{"type":"string","title":"\u00dc",` +
						`"default":""},"a":{"type":"integer","minimum":-9007199254740993,` +
						`"maximum":9007199254740993},"m":{"type":"boolean","default":false}},` +
						`"required":[]},"x-unknown":null}`})
			})),
		tool("hop_stream", "A stream that waits", "Sends progress, and its result after a call with"+
			` {"release":true}.`, "", func(c *call) {
			var arguments struct{ Release bool }
			_ = json.Unmarshal(c.params["arguments"], &arguments)
			if arguments.Release {
				c.s.pair.meet(c.r.Context().Done(), c.s.config.Hold)
				c.done(received)
				return
			}
			c.stream(c.progress(1))
			c.s.pair.meet(c.r.Context().Done(), c.s.config.Hold)
			c.pieces(c.progress(2), event(c.message(c.final(received))))
		}),
		tool("hop_silent", "A stream without a result", "Sends progress, and then nothing. Cancel the call.",
			"No answer comes for a long time.", func(c *call) {
				c.stream(c.progress(1))
				// A client may have waited once for the notification before it cancels the call.
				for range 2 {
					c.wait()
				}
				c.pieces(event(c.message(c.final("The server gave up waiting."))))
			}),
		tool("hop_challenge", "A challenge", "Is refused for want of a token, with the address of metadata.",
			"Every call is refused.", func(c *call) {
				scheme := "http"
				if c.r.TLS != nil {
					scheme = "https"
				}
				c.w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", scope="test:call", `+
					`resource_metadata="`+scheme+`://`+c.r.Host+metadataPath+c.r.URL.Path+`"`)
				http.Error(c.w, "refused on purpose", http.StatusUnauthorized)
			}),
	}
}

// metadataPath begins the path of the metadata of a protected resource (RFC 9728, section 3.1).
const metadataPath = "/.well-known/oauth-protected-resource"

// metadata answers a request for the metadata of the endpoint, which hop_challenge names.
func (s *Server) metadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	resource := "http://" + r.Host + strings.TrimPrefix(r.URL.Path, metadataPath)
	_, _ = w.Write([]byte(`{"resource":` + quote(resource) + `,"authorization_servers":["http://` +
		`127.0.0.1:9/authorization"],"scopes_supported":["test:call"]}`))
}

// all returns the scenarios that the server has.
func (s *Server) all() []scenario {
	list := table()
	if s.config.Hops {
		list = slices.Concat(list, hops())
	}
	return list
}

// Instances returns n servers that share what a server keeps: notes, and the calls that wait
// for each other.
func (s *Server) Instances(n int) []http.Handler {
	list := make([]http.Handler, n)
	for i := range list {
		list[i] = &Server{config: s.config, scenarios: s.scenarios, pair: s.pair, mu: s.mu}
	}
	return list
}
