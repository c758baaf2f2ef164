package httpapi

import (
	"bytes"
	"log"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"smsd/internal/address"
)

// Time-outs of a server. A send's answer waits for the gateway, at most 8 s in all
// (package gateway), and for the stores, well under 1 s. What may take longer (the inbox's long poll,
// profiles) moves its own deadlines.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute // above the 60 s that load balancers keep connections
	maxHeaderBytes    = 32 << 10
)

// NewServer returns a server for h with every time-out set. What net/http has to say goes to logger, with
// addresses masked; nil: nowhere.
func NewServer(h http.Handler, logger *slog.Logger) *http.Server {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	server := &http.Server{
		Handler:                      h,
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		DisableGeneralOptionsHandler: true, // OPTIONS * too gets a request id
		ErrorLog:                     log.New(maskedLog{logger}, "", 0),
	}
	if d, ok := h.(*drainable); ok {
		server.RegisterOnShutdown(d.drain)
	}
	return server
}

// maskedLog passes what net/http has to say on to slog, with addresses masked.
type maskedLog struct{ logger *slog.Logger }

func (l maskedLog) Write(line []byte) (int, error) {
	words := strings.Fields(string(bytes.ToValidUTF8(line, []byte("?"))))
	for i, word := range words {
		if masked, ok := maskWord(word); ok {
			words[i] = masked
		}
	}
	l.logger.Warn("http server: " + strings.Join(words, " "))
	return len(line), nil
}

// maskWord masks an address, or an address and port, that a colon or comma may follow; "a->b" is two.
func maskWord(word string) (string, bool) {
	if from, to, pair := strings.Cut(word, "->"); pair {
		from, okFrom := maskWord(from)
		to, okTo := maskWord(to)
		return from + "->" + to, okFrom || okTo
	}
	bare := strings.TrimRight(word, ":,;")
	if ip := hostOf(bare); ip.IsValid() {
		return address.From(ip).String() + word[len(bare):], true
	}
	if at, err := netip.ParseAddrPort(bare); err == nil {
		return address.From(at.Addr()).String() + word[len(bare):], true
	}
	return word, false
}
