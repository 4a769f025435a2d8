package clienttest

import (
	"encoding/json"
	"net/http"
	"net/url"
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
// are beside the test of clients: see Config.Gateway.
func hops() []scenario {
	list := []scenario{
		tool("hop_result", "A rich result", "Returns numbers, texts and empty values of every kind.", "",
			func(c *call) {
				c.send(
					http.StatusOK,
					c.messageWith(`"resultType":"complete","isError":false,"x-unknown":{"kept":true},`+
						`"content":[{"type":"text","text":"Gr\u00fc\u00dfe \ud83d\ude42","x-unknown":1},`+
						`{"type":"image","data":"`+blob+`","mimeType":"image/png"},{"type":"resource_link",`+
						`"uri":"test://elsewhere/a%20b?c=d","name":"link","annotations":{"audience":`+
						`["user"],"priority":0.5}}],`+
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
						`"required":[]},"x-unknown":{"a":[1]}}`})
			})),
		tool("hop_stream", "A stream that waits", "Sends progress, and its result after a call with"+
			` {"release":true}.`, "", func(c *call) {
			var arguments struct{ Release bool }
			_ = json.Unmarshal(c.params["arguments"], &arguments)
			if arguments.Release {
				if id := c.noteID(releaseSuffix); id != "" {
					c.s.config.Notes.Add(c.r.RemoteAddr, id, released)
				}
				c.done(received)
				return
			}
			c.stream(c.progress(1), c.logged("working"))
			c.await(c.noteID(), func(notes []string) bool { return slices.Contains(notes, released) })
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
			"A call without a token is refused.", func(c *call) {
				if strings.HasPrefix(c.r.Header.Get("Authorization"), "Bearer ") {
					c.done(received)
					return
				}
				c.w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", scope="test:call", `+
					`resource_metadata="`+metadataOf(c.s.resource(c.r))+`"`)
				http.Error(c.w, "refused on purpose", http.StatusUnauthorized)
			}),
	}
	list = slices.Concat(list, otherHops())
	for i := range list {
		list[i].hop = true
		if list[i].Name == "hop_result" {
			list[i].more = rich
		}
	}
	return list
}

// metadataPath begins the path of the metadata of a protected resource (RFC 9728, section 3.1).
const metadataPath = "/.well-known/oauth-protected-resource"

// metadata answers a request for the metadata of the endpoint, which hop_challenge names.
func (s *Server) metadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"resource":` + quote(s.resource(r)) + `,"authorization_servers":["http://` +
		`127.0.0.1:9/authorization"],"scopes_supported":["test:call"]}`))
}

// resource returns the URL of the endpoint that a request, or that for its metadata, is about.
func (s *Server) resource(r *http.Request) string {
	if s.config.PublicURL != nil {
		if address := s.config.PublicURL(r); address != "" {
			return address
		}
	}
	return s.origin(r) + strings.TrimPrefix(r.URL.RequestURI(), metadataPath)
}

// metadataOf returns where the metadata of a resource are (RFC 9728, section 3.1).
func metadataOf(resource string) string {
	u, err := url.Parse(resource)
	if err != nil {
		return ""
	}
	u.Path = metadataPath + u.Path
	return u.String()
}

// origin returns where the server is, as its clients see it.
func (s *Server) origin(r *http.Request) string {
	if base, err := url.Parse(s.config.Base); err == nil && base.Host != "" {
		return base.Scheme + "://" + base.Host
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// names are the names of what the test of a gateway calls.
var names = []string{
	"same_arguments", "no_state", "state_only", "echo_unicode", "echo_quotes", "echo_controls",
	"echo_json", "echo_empty", "echo_large", "error_params", "three_questions", "decline", "cancel",
	"five_rounds",
	"sampling", "roots", "mirror_text", "mirror_unicode", "mirror_integer", "error_capability",
	"stream", "Case_Matters", "task_input", "task_cancel", "parallel_calls",
}

// forGateways returns the scenarios of the test of a gateway.
func forGateways() []scenario {
	return slices.DeleteFunc(slices.Concat(table(), hops()), func(s scenario) bool {
		return !s.hop && !slices.Contains(names, s.Name)
	})
}

// The instances of the test of a gateway are three names that answer in turn: the same
// process serves them, because the test asks whether a gateway would reach another one. A
// request with the cookie of an instance goes to that one, as behind many load balancers.
const (
	instances = "abc"
	affinity  = "mrtr-instance"
)

// nameInstance sets the head fields that name the instance of a response.
func (s *Server) nameInstance(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie(affinity)
	if err != nil || len(c.Value) != 1 || !strings.Contains(instances, c.Value) {
		at := s.next.Add(1) % uint64(len(instances))
		c = &http.Cookie{Value: instances[at : at+1]}
	}
	w.Header().Set("Mcp-Sample-Instance", c.Value+"/v1")
	http.SetCookie(w, &http.Cookie{Name: affinity, Value: c.Value, Path: "/", HttpOnly: true})
}
