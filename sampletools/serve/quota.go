package serve

import (
	"net"
	"net/http"
	"net/netip"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CallerHeader tells the instances, inside this program, whose request it is.
// What a client sends under this name is replaced.
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

// Quota bounds what is open at once, in all and for one caller.
type Quota struct {
	most, part int

	mu   sync.Mutex
	held map[string]int
	all  int
}

// NewQuota returns a quota; if shared, one caller may have an eighth of it.
func NewQuota(most int, shared bool) *Quota {
	return &Quota{most: most, part: PartOf(most, shared), held: map[string]int{}}
}

// PartOf returns how much of a pool one caller may hold.
func PartOf(most int, shared bool) int {
	if shared {
		return max(1, most/8)
	}
	return most
}

// Enter counts one more for a caller, until leave. It returns false if that is
// too many. Callers that are not known have no part of their own.
func (q *Quota) Enter(caller string) (leave func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all >= q.most || caller != "" && q.held[caller] >= q.part {
		return nil, false
	}
	q.all++
	q.held[caller]++
	return sync.OnceFunc(func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.all--
		if q.held[caller]--; q.held[caller] == 0 {
			delete(q.held, caller)
		}
	}), true
}

// Count returns how many places are taken, and how many there are.
func (q *Quota) Count() (used, limit int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.all, q.most
}
