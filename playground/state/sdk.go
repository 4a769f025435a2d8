package state

import (
	"encoding/binary"
	"strings"
	"time"
)

const macNote = "A MAC: the server notices every change. Only its key can make one."

// playground is the format of this program's samples. What each part means is
// told by the sample itself, which has the keys.
func playground(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) < 3 || segments[0] != "mrtr1" {
		return Format{}, false
	}
	f := Format{ID: Playground, Name: "A sample of MRTR Playground", Protected: segments[1] != "plain"}
	labels := [][2]string{{"prefix", "Whose format this is."}, {"mode", "How the state is protected."}}
	switch payload := ""; {
	case segments[1] == "sealed" && len(segments) == 6:
		labels = append(labels, [2]string{"key id", "Which key was used."}, [2]string{"nonce", "Random, used once."}, [2]string{"ciphertext", "Only the server can read it."}, [2]string{"tag", "Shows any change."})
	case segments[1] == "signed" && len(segments) == 5:
		payload, f.Readable = decodeJSON(segments[3])
		labels = append(labels, [2]string{"key id", "Which key was used."}, [2]string{"claims", "Readable JSON."}, [2]string{"mac", macNote})
		f.Payload = payload
	case segments[1] == "plain" && len(segments) == 3:
		payload, f.Readable = decodeJSON(segments[2])
		labels = append(labels, [2]string{"claims", "Readable JSON, not protected."})
		f.Payload = payload
	default:
		return Format{}, false
	}
	f.Expires = unixOf(f.Payload, "expires")
	f.Parts = parts(segments, labels...)
	return f, true
}

// rust is rs1.<8 bytes expiry in milliseconds, payload>.<MAC>.
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
	if expiry > 0 && expiry < 1<<43 { // until the year 2248; anything else is no date
		f.Expires = time.UnixMilli(int64(expiry)).UTC()
	}
	f.Parts = parts(segments, [2]string{"prefix", "Version of the format."},
		[2]string{"payload", "Expiry (8 bytes) and the readable payload." + expiryNote(f.Expires)}, [2]string{"mac", macNote})
	return f, true
}

// typescript is v1.<JSON {"p","exp","b"?}>.<HMAC-SHA256>. The tag b binds the
// state to something of the request; by default there is none.
func typescript(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 3 || segments[0] != "v1" || !isMAC(segments[2]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[1])
	if !ok {
		return Format{}, false
	}
	f := Format{ID: TypeScript, Name: "Looks like signed JSON of the TypeScript SDK", Protected: true, Readable: true, Payload: payload}
	f.Expires = expiryOf(payload)
	bound := " No tag binds it to the request."
	if has(payload, "b") {
		bound = " The tag b binds it to something of the request."
	}
	f.Parts = parts(segments, [2]string{"prefix", "Version of the format."},
		[2]string{"payload", "Readable JSON." + expiryNote(f.Expires) + bound}, [2]string{"mac", macNote})
	return f, true
}

// aesgcm is v1.<ciphertext>: the Python SDK puts a key id (4 bytes) and a nonce
// (12) before the ciphertext and its tag (16), the Ruby SDK only the nonce.
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
	f.Parts = parts(segments, [2]string{"prefix", "Version of the format."},
		[2]string{"sealed", "Nonce, ciphertext and tag (Python: a key id before them). Only the server can read it."})
	return f, true
}

// mcpkit puts the MAC first.
func mcpkit(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 2 || !isMAC(segments[0]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[1])
	f := Format{ID: Mcpkit, Name: "Looks like signed JSON of mcpkit (Go)", Protected: true, Readable: true, Payload: payload}
	f.Expires = expiryOf(payload)
	f.Parts = parts(segments, [2]string{"mac", macNote}, [2]string{"payload", "Readable JSON." + expiryNote(f.Expires)})
	return f, ok
}

// php puts the MAC last.
func php(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 2 || !isMAC(segments[1]) {
		return Format{}, false
	}
	payload, ok := decodeJSON(segments[0])
	f := Format{ID: PHP, Name: "Looks like signed JSON of the PHP SDK", Protected: true, Readable: true, Payload: payload}
	f.Expires = expiryOf(payload)
	f.Parts = parts(segments, [2]string{"payload", "Readable JSON." + expiryNote(f.Expires)}, [2]string{"mac", macNote})
	return f, ok
}
