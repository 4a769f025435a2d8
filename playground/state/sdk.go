package state

import (
	"encoding/binary"
	"strings"
	"time"
)

const (
	macNote     = "A MAC: the server detects any change. Making one takes its key."
	versionNote = "Version of the format."
)

// playground recognises the format of this program's samples.
func playground(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) < 3 || segments[0] != "mrtr1" {
		return Format{}, false
	}
	f := Format{ID: Playground, Name: "A sample of MRTR Playground", Protected: segments[1] != "plain"}
	labels := []label{{"prefix", "Whose format this is."}, {"mode", "How the state is protected."}}
	keyID := label{"key id", "Which key was used."}
	switch payload := ""; {
	case segments[1] == "sealed" && len(segments) == 6:
		labels = append(labels, keyID,
			label{"nonce", nonceNote}, label{"ciphertext", sealedNote}, label{"tag", tagNote})
	case segments[1] == "signed" && len(segments) == 5:
		payload, f.Readable = decodeJSON(segments[3])
		labels = append(labels, keyID, label{"claims", "Readable JSON."}, label{"mac", macNote})
		f.Payload = payload
	case segments[1] == "plain" && len(segments) == 3:
		payload, f.Readable = decodeJSON(segments[2])
		labels = append(labels, label{"claims", "Readable JSON, not protected."})
		f.Payload = payload
	default:
		return Format{}, false
	}
	f.Expires = expiryOf(f.Payload)
	f.Parts = parts(segments, labels...)
	return f, true
}

// rust recognises rs1.<8 bytes expiry in milliseconds, payload>.<MAC>.
func rust(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 3 || segments[0] != "rs1" || !isMAC(segments[2]) {
		return Format{}, false
	}
	body, ok := decode(segments[1])
	if !ok || len(body) < 8 {
		return Format{}, false
	}
	expiry := binary.BigEndian.Uint64(body)
	f := Format{ID: Rust, Name: "Looks like the Rust SDK", Protected: true, Payload: printable(body[8:])}
	f.Readable = f.Payload != ""
	if expiry > 0 && expiry < 1<<43 { // until the year 2248; other values are not dates
		f.Expires = time.UnixMilli(int64(expiry)).UTC()
	}
	note := "Expiry (8 bytes) and the readable payload." + expiryNote(f.Expires)
	f.Parts = parts(segments, label{"prefix", versionNote}, label{"payload", note}, label{"mac", macNote})
	return f, true
}

// typescript recognises v1.<JSON {"p","exp","b"?}>.<HMAC-SHA256>. The optional
// tag b binds the state to a part of the request.
func typescript(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 3 || segments[0] != "v1" || !isMAC(segments[2]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[1])
	if !ok {
		return Format{}, false
	}
	f := signed(TypeScript, "Looks like signed JSON of the TypeScript SDK", payload)
	bound := " No tag binds it to the request."
	if has(payload, "b") {
		bound = " The tag b binds it to a part of the request."
	}
	note := "Readable JSON." + expiryNote(f.Expires) + bound
	f.Parts = parts(segments, label{"prefix", versionNote}, label{"payload", note}, label{"mac", macNote})
	return f, true
}

// aesgcm recognises v1.<ciphertext>. The Python SDK puts a key id (4 bytes) and
// a nonce (12) before the ciphertext and its tag (16), the Ruby SDK only the
// nonce.
func aesgcm(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 2 || segments[0] != "v1" {
		return Format{}, false
	}
	body, ok := decode(segments[1])
	if !ok || len(body) < 28 {
		return Format{}, false
	}
	f := Format{ID: AESGCM, Name: "Looks like AES-GCM of the Python or the Ruby SDK", Protected: true}
	const note = "Nonce, ciphertext and tag (Python: a key id before them). " + sealedNote
	f.Parts = parts(segments, label{"prefix", versionNote}, label{"sealed", note})
	return f, true
}

// mcpkit recognises <MAC>.<JSON>.
func mcpkit(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 2 || !isMAC(segments[0]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[1])
	f := signed(Mcpkit, "Looks like signed JSON of mcpkit (Go)", payload)
	note := "Readable JSON." + expiryNote(f.Expires)
	f.Parts = parts(segments, label{"mac", macNote}, label{"payload", note})
	return f, ok
}

// php recognises <JSON>.<MAC>.
func php(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 2 || !isMAC(segments[1]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[0])
	f := signed(PHP, "Looks like signed JSON of the PHP SDK", payload)
	note := "Readable JSON." + expiryNote(f.Expires)
	f.Parts = parts(segments, label{"payload", note}, label{"mac", macNote})
	return f, ok
}

// signed returns the Format of a readable payload with a MAC.
func signed(id, name, payload string) Format {
	return Format{
		ID: id, Name: name, Protected: true, Readable: true, Payload: payload, Expires: expiryOf(payload),
	}
}
