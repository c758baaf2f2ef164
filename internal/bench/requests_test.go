package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"smsd/internal/gateway/mock"
	"smsd/internal/testserver"
)

// service is an instance of smsd under load. Each has numbers and counters of its own.
type service struct {
	*instance
	redis    servers                    // none: the stores are in the process
	database *testserver.PostgresServer // nil: records are in the process too, if there are any
	recorded bool                       // records are counted, and waited for
	sent     int                        // phones that were sent to so far
	new      int                        // of those, the last ones that were not refused since
	asked    int                        // requests so far
}

// phone returns the n-th phone, for n below 100 million. Neighbours differ before the last four digits, which is
// what the policy calls a prefix.
func phone(n int) string { return fmt.Sprintf("+86138%04d%04d", n%10_000, n/10_000) }

// client returns the address of the next request: four requests each, so that no limit on addresses binds.
func (s *service) client() string {
	n := s.asked / 4
	s.asked++
	return fmt.Sprintf("%d.%d.%d.7", 20+n>>16, n>>8&255, n&255)
}

func (s *service) send(phone string, status int) request {
	return s.sendFrom(s.client(), phone, status)
}

func (s *service) sendFrom(client, phone string, status int) request {
	return post("/api/v1/sms/send", s.Key, client, sendText(phone), status)
}

// sendText is the body of a send.
func sendText(phone string) string { return fmt.Sprintf(`{"phone":%q,"scene":"login"}`, phone) }

// decoded are n for the floor that reads them.
func (s *service) decoded(n int) []request {
	requests := make([]request, n)
	for i := range requests {
		requests[i] = post(decodingPath, "", s.client(), sendText(phone(i)), http.StatusOK)
	}
	return requests
}

// sends are to n phones that nothing was sent to yet.
func (s *service) sends(n int) []request {
	requests := make([]request, n)
	for i := range requests {
		requests[i] = s.send(phone(s.sent), http.StatusOK)
		s.sent++
	}
	s.new += n
	return requests
}

// again are to the n phones sent to last, once each: the cooldown refuses them, and nothing in the process
// knows of that yet. Those that are missing are sent to first.
func (s *service) again(n int) []request {
	if missing := n - s.new; missing > 0 {
		s.do(s.sends(missing))
	}
	s.new = 0
	requests := make([]request, n)
	for i := range requests {
		requests[i] = s.send(phone(s.sent-n+i), http.StatusTooManyRequests)
	}
	return requests
}

// hammered are as many requests as there are connections, refused a moment ago, over and over, n in all: each has its
// phone and its address, as a script's would.
func (s *service) hammered(n int) []request {
	s.do(s.sends(connections))
	refused := s.again(connections)
	s.do(refused)
	requests := make([]request, n)
	for i := range requests {
		requests[i] = refused[i%connections]
	}
	return requests
}

// overrun are n sends that the process refuses by itself, whoever asks.
func (s *service) overrun(n int) []request {
	requests := s.sends(n)
	for i := range requests {
		requests[i].status = http.StatusTooManyRequests
	}
	return requests
}

// burst is how many sends in five minutes the policies let one address have.
const burst = 25

// blocked are n sends of one address that went on asking for new numbers when it had had its burst.
func (s *service) blocked(n int) []request {
	const refusals = 2 * 5 // a block takes five
	s.asked += 4           // an address that is nobody else's
	client := s.client()
	s.asked += 4
	from := func(n, status int) []request {
		requests := make([]request, n)
		for i := range requests {
			requests[i] = s.sendFrom(client, phone(s.sent), status)
			s.sent++
		}
		return requests
	}
	s.do(from(burst, http.StatusOK))
	s.new = 0
	s.do(from(refusals, http.StatusTooManyRequests))
	return from(n, http.StatusTooManyRequests)
}

// flood are n sends that the process refuses by itself, since all are the first client's.
func (s *service) flood(n int) []request {
	s.asked = 0
	first := s.client()
	requests := make([]request, n)
	for i := range requests {
		requests[i] = s.sendFrom(first, phone(s.sent+i), http.StatusTooManyRequests)
	}
	return requests
}

// verifies are right codes of n verifications, which are made first.
func (s *service) verifies(n int) []request {
	requests := make([]request, 0, n)
	for _, m := range s.delivered(n) {
		requests = append(requests, s.verify(m.SMSID, m.Code, http.StatusOK))
	}
	return requests
}

// guesses are wrong codes, four for each of a quarter as many verifications: one less than a code allows.
func (s *service) guesses(n int) []request {
	const each = 4
	sent := s.delivered((n + each - 1) / each)
	requests := make([]request, n)
	for i := range requests {
		m := sent[i%len(sent)]
		requests[i] = s.verify(m.SMSID, otherCode(m.Code), http.StatusUnprocessableEntity)
	}
	return requests
}

// otherCode is as long as code, and wrong.
func otherCode(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

func (s *service) verify(id, code string, status int) request {
	return post("/api/v1/sms/verify", s.Key, s.client(), fmt.Sprintf(`{"sms_id":%q,"code":%q}`, id, code), status)
}

// delivered sends n messages and returns them.
func (s *service) delivered(n int) []message {
	all := make([]message, 0, n)
	for len(all) < n {
		batch := min(n-len(all), mock.MaxMessages)
		s.do(s.sends(batch))
		all = append(all, s.inbox(batch)...)
	}
	return all
}

// mix is a send after each verify.
func (s *service) mix(n int) []request {
	verifies, sends := s.verifies(n/2), s.sends(n/2)
	requests := make([]request, 0, n)
	for i := range verifies {
		requests = append(requests, verifies[i], sends[i])
	}
	return requests
}

// do makes requests that are not measured.
func (s *service) do(requests []request) {
	s.t.Helper()
	if err := all(s.API, requests); err != nil {
		s.t.Fatal(err)
	}
}

type message struct {
	SMSID string `json:"sms_id"`
	Code  string `json:"code"`
}

// inbox returns the n newest messages.
func (s *service) inbox(n int) []message {
	s.t.Helper()
	var answer struct{ Messages []message }
	if err := s.get(fmt.Sprintf("/mock/messages?limit=%d", n), func(r *http.Response) error {
		return json.NewDecoder(r.Body).Decode(&answer)
	}); err != nil {
		s.t.Fatal(err)
	}
	if len(answer.Messages) != n {
		s.t.Fatalf("%d messages in the inbox, not %d", len(answer.Messages), n)
	}
	return answer.Messages
}

// get reads a resource of the operators' API.
func (s *service) get(path string, read func(*http.Response) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Admin+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+adminToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered %s", path, answer.Status)
	}
	return read(answer)
}

// No limit on addresses or prefixes may bind, and no phone come twice.
func TestPhonesAndClientsAreSpread(t *testing.T) {
	t.Parallel()
	s, phones, clients := &service{}, map[string]bool{}, map[string]int{}
	for n := range 100_000 {
		phones[phone(n)] = true
		clients[s.client()]++
	}
	if len(phones) != 100_000 || len(clients) != 25_000 {
		t.Errorf("%d phones and %d clients", len(phones), len(clients))
	}
}
