package share

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// shape is the form of one kind of secret. Group 1 of the pattern is the
// secret, or the whole match if there is no group; a match that leaves the group
// out is no secret. One of the hints occurs in
// lower case in every match, so that most texts are never matched against the
// pattern.
type shape struct {
	name    string
	hints   [][]byte
	pattern *regexp.Regexp
}

// challengeStart matches the first parameter of a challenge (RFC 9110, section
// 11.6.1), such as realm="x", which stands where credentials have a token. A
// token, too, can end with an equals sign, and a quote that ends the text around
// it.
const challengeStart = `[a-z][a-z_-]*=\\?"[^\s,;)\]}]` +
	`|(?i:realm|scope|error|error_description|error_uri|resource_metadata|algs)\s*=`

// shapes lists the known forms of credentials.
var shapes = func() []shape {
	var list []shape
	for _, s := range [][3]string{
		{"a bearer token", "bearer", `(?i:\bbearer)[\s:]+(?:` + challengeStart +
			`|(?i:authentication|authorization|credentials?|challenges?)\b` +
			`|([A-Za-z0-9._~+/=-]{8,}))`},
		{"a user name and password", "basic", `(?i:\bbasic)\s+(?:` + challengeStart +
			`|[A-Za-z][a-z]{0,19}(?:[^A-Za-z0-9+/=_-]|$)` + // prose, which Base64 is hardly ever
			`|([A-Za-z0-9+/=_-]{8,}))`},
		{"a JSON Web Token", "eyj", `\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){1,3}`},
		{"a private key", "private key", `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: ` +
			`BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`},
		{"a password in a URL", "://", `(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/@"'<>]{1,200})@`},
		{"an AWS access key", "akia|asia|agpa|aida|aroa|anpa|abia|acca",
			`\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ABIA|ACCA)[A-Z0-9]{16}\b`},
		{"a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", `\bgh[pousr]_[A-Za-z0-9]{20,}`},
		{"a GitHub token", "github_pat_", `\bgithub_pat_[A-Za-z0-9_]{20,}`},
		{"a GitLab token", "gl", `\bgl(?:pat|rt|ptt|dt|cbt|oas|soat|ft)-[A-Za-z0-9_.-]{16,}`},
		{"a Slack token", "xox|xapp-", `\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}`},
		{"a Slack webhook", "hooks.slack.com",
			`hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})`},
		{"a Discord webhook", "/api/webhooks/", `/api/webhooks/(\d{10,}/[A-Za-z0-9_-]{20,})`},
		{"a Stripe key", "k_", `\b[prs]k_(?:live|test)_[A-Za-z0-9]{10,}`},
		{"a signing secret", "whsec_", `\bwhsec_[A-Za-z0-9+/=_-]{16,}`},
		{"an API key", "sk-", `\bsk-[A-Za-z0-9_-]{16,}`},
		{"a Google API key", "aiza", `\bAIza[A-Za-z0-9_-]{30,}`},
		{"a Google token", "ya29.", `\bya29\.[A-Za-z0-9._-]{16,}`},
		{"a Google client secret", "gocspx-", `\bGOCSPX-[A-Za-z0-9_-]{16,}`},
		{"an npm token", "npm_", `\bnpm_[A-Za-z0-9]{20,}`},
		{"a PyPI token", "pypi-", `\bpypi-[A-Za-z0-9_-]{16,}`},
		{"a SendGrid key", "sg.", `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`},
		{"a Hugging Face token", "hf_", `\bhf_[A-Za-z0-9]{20,}`},
		{"a DigitalOcean token", "dop_|doo_|dor_", `\bdo[opr]_v1_[a-f0-9]{32,}`},
		{"a Shopify token", "shpat|shpca|shppa|shpss", `\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}`},
		{"a Vault token", "hvs.|hvb.|hvr.", `\bhv[sbr]\.[A-Za-z0-9_-]{16,}`},
		{"a Databricks token", "dapi", `\bdapi[a-f0-9]{32}`},
		{"an Azure key", "==", `\b[A-Za-z0-9+/]{86}==`},
		{"a signed URL", "sig=", `[?&]sig=([A-Za-z0-9%+/=_-]{16,})`},
		{"a Telegram bot token", ":", `\b\d{8,10}:[A-Za-z0-9_-]{35}\b`},
		{"a Twilio key", "sk", `\bSK[0-9a-f]{32}\b`},
		{"an age key", "age-secret-key-", `\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`},
		{"a Grafana token", "glsa_|glc_", `\bgl(?:sa|c)_[A-Za-z0-9_=]{20,}`},
		{"a Postman key", "pmak-", `\bPMAK-[A-Za-z0-9-]{20,}`},
		{"a Linear key", "lin_api_", `\blin_api_[A-Za-z0-9]{20,}`},
	} {
		list = append(list, shape{s[0], bytes.Split([]byte(s[1]), []byte("|")), regexp.MustCompile(s[2])})
	}
	return list
}()

// possible reports whether a text, given in lower case, can have the shape.
func (s shape) possible(lower []byte) bool {
	return slices.ContainsFunc(s.hints, func(hint []byte) bool { return bytes.Contains(lower, hint) })
}

// find returns where texts of the shape are in a text.
func (s shape) find(text []byte) [][2]int {
	var list [][2]int
	for _, at := range s.pattern.FindAllSubmatchIndex(text, -1) {
		if at = at[len(at)-2:]; at[0] >= 0 {
			list = append(list, [2]int(at))
		}
	}
	return list
}

// MaskText returns a text with *** in place of everything that has the shape of
// a credential, in every spelling. It is for texts of this program, such as a log,
// of whose values nothing is known: a share goes through Snapshot, which finds
// more.
func MaskText(text string) string {
	var found [][2]int
	w := newWalker(func(v redact.View, _ string) {
		lower := bytes.ToLower(v.Text)
		for _, s := range shapes {
			if !s.possible(lower) {
				continue
			}
			for _, at := range s.find(v.Text) {
				for _, m := range marksOf(v, at[0], at[1], nil) {
					found = append(found, [2]int{m.start, m.end})
				}
			}
		}
	})
	w.text(redact.Whole([]byte(text), 0), "", 0)
	slices.SortFunc(found, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out strings.Builder
	from := 0
	for _, at := range found {
		if at[0] >= from {
			out.WriteString(text[from:at[0]] + "***")
		}
		from = max(from, at[1])
	}
	return out.String() + text[from:]
}
