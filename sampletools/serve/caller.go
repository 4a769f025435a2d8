package serve

import (
	"net"
	"net/http"
	"net/netip"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CallerHeader names the caller of a request to the instances, inside this
// program. A value that a client sends under this name is replaced.
const CallerHeader = "Mcp-Sample-Caller"

// MarkCaller sets CallerHeader: the address of the client, or the /64 network of
// an IPv6 address.
func MarkCaller(r *http.Request) { r.Header.Set(CallerHeader, CallerOf(r.RemoteAddr)) }

// CallerOf returns the name of a caller, as limits count it, by its address.
func CallerOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote // a connection in memory has no port
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || !addr.Unmap().Is6() {
		return host
	}
	p, _ := addr.WithZone("").Prefix(64)
	return p.String()
}

// caller returns whose request it is, or "" if that is not known.
func caller(req mcp.Request) string { return headerOf(req).Get(CallerHeader) }

// headerOf returns the header of a request, which may be nil.
func headerOf(req mcp.Request) http.Header {
	if e := req.GetExtra(); e != nil {
		return e.Header
	}
	return nil
}

// Places bounds the number of things that are open at once, in all and for one
// caller.
type Places interface {
	// Enter counts one more for a caller, until leave. It returns false if that is too
	// many. Callers that are not known have the name "", and no part of their own.
	Enter(caller string) (leave func(), ok bool)
	// Count returns how many places are taken, and how many there are.
	Count() (used, limit int)
}

// PartOf returns how much of a pool one caller may hold.
func PartOf(most int, shared bool) int {
	if shared {
		return max(1, most/8)
	}
	return most
}
