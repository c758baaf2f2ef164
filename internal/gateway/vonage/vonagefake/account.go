package vonagefake

import "net/http"

// Account is what the vendor tells of an account to whoever asks. The zero Account has no money.
type Account struct {
	// Balance is in euros.
	Balance float64
	// AutoReload says that it is filled up by itself.
	AutoReload bool
}

// asked answers a question, to whoever has the account's key and secret; false: r is none.
func (f *Fake) asked(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodGet || r.URL.Path != "/account/get-balance" {
		return false
	}
	if _, _, basic := r.BasicAuth(); !basic || !f.authentic(r) {
		write(w, http.StatusUnauthorized, map[string]any{"error-code": "401", "error-code-label": "authentication failed, of " + r.Header.Get("Authorization")})
		return true
	}
	write(w, http.StatusOK, map[string]any{"value": f.Account.Balance, "autoReload": f.Account.AutoReload})
	return true
}
