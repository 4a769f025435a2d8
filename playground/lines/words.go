package lines

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// NameOf returns a command as a user may type it, with secrets masked.
func NameOf(words []string) string {
	shown, _ := maskWords(words)
	return stdio.Quote(shown)
}

// SecretsIn returns the secrets in the words of a command, or in the variables of an
// environment, which a command gets and may write. A secret of several lines is also each
// of them, because a line is masked alone.
func SecretsIn(words []string) []string {
	_, secrets := maskWords(words)
	for _, s := range secrets {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != s {
				secrets = append(secrets, line)
			}
		}
	}
	return secrets
}

// stars stands for a secret, however long it is.
const stars = "********"

// workingDirectory is the variable whose name looks like that of a password.
const workingDirectory = "PWD"

// maskWords returns the words of a command with secrets replaced by stars, and these: the
// value of an option or a variable that has the name of a secret, and the
// findings of maskWord.
func maskWords(words []string) (masked, secrets []string) {
	masked = slices.Clone(words)
	for i, w := range words {
		name, value, assigned := strings.Cut(w, "=")
		if assigned = assigned && !strings.ContainsAny(name, ":/? "); !assigned {
			name, value = w, w
		}
		isSecret := name != workingDirectory && redact.NamesSecret(strings.TrimLeft(name, "-"), redact.Member)
		shown, found := stars, []string{value}
		switch {
		case masked[i] != w: // it is the value of the option before
			continue
		case assigned && value != "" && isSecret:
		case !assigned && isSecret && strings.HasPrefix(w, "-") && i+1 < len(words) && i > 0:
			masked[i+1], secrets = stars, append(secrets, words[i+1])
			continue
		default:
			shown, found = maskWord(value)
		}
		masked[i], secrets = strings.TrimSuffix(w, value)+shown, append(secrets, found...)
	}
	return masked, secrets
}

// maskWord masks the value of a header field with a credential, and in a URL the password
// and the parameters with the names of secrets. It returns these, too.
func maskWord(word string) (masked string, secrets []string) {
	scheme, rest, isURL := strings.Cut(word, "://")
	if !isURL {
		name, value, _ := strings.Cut(word, ":")
		if value == "" || strings.ContainsAny(name, "/ ") || !redact.IsCredential(name) {
			return word, nil
		}
		f := wire.Field{Name: name, Value: strings.TrimSpace(value)}
		return name + ": " + stars, redact.Values([]wire.Field{f}, "")
	}
	masked, secrets = redact.MaskURL(word), redact.Values(nil, word)
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	user, password, _ := strings.Cut(authority[:max(strings.LastIndexByte(authority, '@'), 0)], ":")
	if password == "" {
		return masked, secrets
	}
	before := scheme + "://" + user + ":"
	masked = before + stars + masked[len(before)+len(password):]
	if plain, err := url.PathUnescape(password); err == nil {
		secrets = append(secrets, plain)
	}
	return masked, append(secrets, password)
}
