package serve

import "slices"

// Revision is the first revision with multi round-trip requests.
const Revision = "2026-07-28"

// legacyVersions are the revisions before 2026-07-28 that a server of both eras
// serves.
var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Era says which revisions of MCP a server supports.
type Era string

// The eras of servers.
const (
	Both   Era = "both"   // 2026-07-28, and the legacy revisions with server-initiated requests
	Modern Era = "modern" // 2026-07-28 only
	Legacy Era = "legacy" // revisions up to 2025-11-25 only
)

// isLegacy reports whether a request names a revision before 2026-07-28, or
// none. An unknown version counts as modern, which rejects it
// (basic/transports/streamable-http, "Protocol Version Header").
func isLegacy(version string) bool {
	return version == "" || slices.Contains(legacyVersions, version)
}

// isLegacy reports whether a server of the era serves a request with this
// version header as one of a legacy client.
func (e Era) isLegacy(version string) bool {
	return e == Legacy || e == Both && isLegacy(version)
}

// Supported returns the versions that a server of the era serves, the newest
// first.
func (e Era) Supported() []string {
	switch e {
	case Legacy:
		return legacyVersions[:3]
	case Modern:
		return []string{Revision}
	}
	return append([]string{Revision}, legacyVersions...)
}
