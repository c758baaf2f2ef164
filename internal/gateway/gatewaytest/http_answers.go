package gatewaytest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"smsd/internal/gateway"
)

// answer is one that comes in place of the carrier's own, after it took the message.
type answer struct {
	scenario Scenario
	write    func(*stand, http.ResponseWriter, reply)
	// verdict says what the driver must make of it; nil: that nobody can tell.
	verdict func(*bench) []string
}

// reply is what an answer may be made of.
type reply struct {
	echo     []byte // all that the request held
	accepted *httptest.ResponseRecorder
}

// answers are what comes for an answer in practice. They repeat what they were sent wherever they can.
var answers = []answer{
	{scenario: "200, a page", write: says(200, "text/html", "<html>ECHO")},
	{scenario: "200, text", write: says(200, "text/plain", "accepted ECHO")},
	{scenario: "200, empty", write: says(200, "application/json", "")},
	{scenario: "200, null", write: says(200, "application/json", "null")},
	{scenario: "200, a list", write: says(200, "application/json", `[{"Code": "OK", "id": "1"}]`)},
	{scenario: "200, an error inside", write: says(200, "application/json", `{"error": {"code": "E-1", "message": QUOTED}}`)},
	{scenario: "200, half an object", write: half},
	{scenario: "200, cut short", write: cutShort},
	{scenario: "200, a chunk cut short", write: chunkCutShort},
	{scenario: "200, too deep", write: tooDeep},
	{scenario: "200, without an end", write: endless, verdict: readsInBounds},
	{scenario: "200, compressed", write: compressed, verdict: maySucceed},
	{scenario: "200, not compressed as it says", write: notCompressed},
	{scenario: "502, a page", write: says(502, "text/html", "<html>ECHO")},
	{scenario: "503, empty", write: says(503, "text/plain", "")},
	{scenario: "500, an error inside", write: says(500, "application/json", `{"reason": QUOTED, "message": QUOTED, "code": 1}`)},
	{scenario: "not HTTP", write: rawly("SSH-2.0-OpenSSH_9.9 WORD\r\n\r\n")},
	{scenario: "a status that is none", write: rawly("HTTP/1.1 999999 WORD\r\n\r\n")},
	{scenario: "another protocol", write: rawly("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n{}")},
	{scenario: "301", write: redirects(301), verdict: staysHere},
	{scenario: "302", write: redirects(302), verdict: staysHere},
	{scenario: "303", write: redirects(303), verdict: staysHere},
	{scenario: "307", write: redirects(307), verdict: staysHere},
	{scenario: "308", write: redirects(308), verdict: staysHere},
}

// Answers returns the scenarios of [RunHTTP] in which something else comes for an answer than what the carrier says.
func Answers() []Scenario {
	var all []Scenario
	for _, a := range answers {
		all = append(all, a.scenario)
	}
	return all
}

func (a answer) check() func(*bench) []string {
	if a.verdict != nil {
		return a.verdict
	}
	return fails(gateway.Ambiguous, gateway.MaybeSent)
}

// says answers with a status, a type, and a text in which ECHO and QUOTED stand for what was sent.
func says(status int, kind, text string) func(*stand, http.ResponseWriter, reply) {
	return func(_ *stand, w http.ResponseWriter, r reply) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write(r.in(text))
	}
}

// in returns text with what was sent in it.
func (r reply) in(text string) []byte {
	quoted, _ := json.Marshal(string(r.echo)) // strings always can be
	return []byte(strings.NewReplacer("ECHO", string(r.echo), "QUOTED", string(quoted), "WORD", r.word()).Replace(text))
}

// word returns what was sent without blanks, for places where there may be none.
func (r reply) word() string { return string(bytes.Fields(r.echo)[0]) }

// rawly answers with text as it stands, and WORD in it for what was sent.
func rawly(text string) func(*stand, http.ResponseWriter, reply) {
	return func(_ *stand, w http.ResponseWriter, r reply) { raw(w, r.in(text), false) }
}

// half answers with half of what the carrier says, as if it were the whole.
func half(_ *stand, w http.ResponseWriter, r reply) {
	w.WriteHeader(r.accepted.Code)
	body := r.accepted.Body.Bytes()
	_, _ = w.Write(append(body[:len(body)/2:len(body)/2], r.echo...))
}

// cutShort hangs up in the middle of what the carrier says.
func cutShort(_ *stand, w http.ResponseWriter, r reply) {
	body := r.accepted.Body.Bytes()
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(r.accepted.Code)
	_, _ = w.Write(body[:len(body)/2])
}

// chunkCutShort hangs up where the carrier has said all, and might go on.
func chunkCutShort(_ *stand, w http.ResponseWriter, r reply) {
	w.WriteHeader(r.accepted.Code)
	_, _ = w.Write(r.accepted.Body.Bytes())
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// tooDeep is an object that a parser which calls itself does not survive. encoding/json stops at 10,000.
func tooDeep(_ *stand, w http.ResponseWriter, _ reply) {
	const depth = 20_000
	fmt.Fprint(w, `{"Code": `, strings.Repeat("[", depth), strings.Repeat("]", depth), `}`)
}

// compressed answers what the carrier says in a form that nobody has asked for.
func compressed(_ *stand, w http.ResponseWriter, r reply) {
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(r.accepted.Code)
	zip := gzip.NewWriter(w)
	_, _ = zip.Write(r.accepted.Body.Bytes())
	_ = zip.Close()
}

func notCompressed(_ *stand, w http.ResponseWriter, r reply) {
	w.Header().Set("Content-Encoding", "gzip")
	fmt.Fprintf(w, "<html>%s", r.echo)
}

func redirects(status int) func(*stand, http.ResponseWriter, reply) {
	return func(s *stand, w http.ResponseWriter, r reply) {
		w.Header().Set("Location", s.elsewhere+"/?"+r.word())
		w.WriteHeader(status)
	}
}

// endless answers as long as somebody reads, up to what no driver may.
func endless(s *stand, w http.ResponseWriter, r reply) {
	part := slices.Concat([]byte(`{"detail": "`), bytes.Repeat([]byte("x"), 64<<10))
	for written := 0; written < tooMuch; written += len(part) {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
	s.vendor.swallowed.Store(true)
}

// tooMuch is above what the buffers of a connection hold (some 10 MiB on Linux), so that what was written was read.
const tooMuch = 64 << 20
