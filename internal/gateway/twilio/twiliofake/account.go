package twiliofake

import (
	"net/http"
	"strings"
)

// Account is what the vendor tells of an account to whoever asks. The zero Account is active, and has nothing.
type Account struct {
	// Numbers are those of the account in E.164, and whether they can send SMS.
	Numbers map[string]bool
	// Services are its Messaging Services.
	Services []string
	// Status is active, suspended or closed; "": active. Type is Trial or Full; "": Full.
	Status, Type string
	// Balance is what is left, as 12.34, in USD; "": it is a subaccount, which has none.
	Balance string
	// Refuses are the codes with which a resource is refused, by the end of its path, as /Balance.json.
	Refuses map[string]int
}

// asked answers a GET; false: r is none. Whoever asks is known.
func (f *Fake) asked(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for end, code := range f.Account.Refuses {
		if strings.HasSuffix(r.URL.Path, end) {
			refuse(w, code, "refused, of "+r.URL.String()+" with "+r.Header.Get("Authorization"))
			return true
		}
	}
	rest, own := strings.CutPrefix(r.URL.Path, "/2010-04-01/Accounts/"+f.AccountSID.Reveal())
	service, isService := strings.CutPrefix(r.URL.Path, "/v1/Services/")
	switch {
	case isService:
		f.service(w, service)
	case own && rest == "/IncomingPhoneNumbers.json":
		write(w, http.StatusOK, map[string]any{"incoming_phone_numbers": f.Account.numbers(r.URL.Query().Get("PhoneNumber"))})
	case own && rest == ".json":
		write(w, http.StatusOK, f.Account.state(f.AccountSID.Reveal(), f.Password.Reveal()))
	case own && rest == "/Balance.json":
		write(w, http.StatusOK, f.Account.balance(f.AccountSID.Reveal()))
	default:
		refuse(w, 20404, "no "+r.URL.Path)
	}
	return true
}

func (f *Fake) service(w http.ResponseWriter, sid string) {
	for _, s := range f.Account.Services {
		if s == sid {
			write(w, http.StatusOK, map[string]any{"sid": sid, "account_sid": f.AccountSID.Reveal(), "friendly_name": "codes"})
			return
		}
	}
	refuse(w, 20404, "no "+sid)
}

// numbers returns those that are asked for, one at the most: a page has one.
func (a Account) numbers(wanted string) []map[string]any {
	all := []map[string]any{}
	for number, sms := range a.Numbers {
		if (wanted == "" || wanted == number) && len(all) == 0 {
			all = append(all, map[string]any{"phone_number": number, "capabilities": map[string]bool{"sms": sms, "voice": true}})
		}
	}
	return all
}

// state holds the account's token, as the vendor's does.
func (a Account) state(sid, token string) map[string]any {
	if a.Status == "" {
		a.Status = "active"
	}
	if a.Type == "" {
		a.Type = "Full"
	}
	return map[string]any{"sid": sid, "status": a.Status, "type": a.Type, "auth_token": token, "friendly_name": "someone@example.com"}
}

func (a Account) balance(sid string) map[string]any {
	if a.Balance == "" {
		return map[string]any{"account_sid": sid, "balance": nil, "currency": nil}
	}
	return map[string]any{"account_sid": sid, "balance": a.Balance, "currency": "USD"}
}
