package gateway

// NameRule is what [IsName] accepts, in words that follow "must be" or "a name is".
const NameRule = "1 to 32 of a-z, 0-9 and -"

// IsName reports whether a gateway may be called so: its name is a label of metrics, and part of a path.
func IsName(name string) bool {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return 1 <= len(name) && len(name) <= 32
}
