package app

import (
	"context"
	"io"
	"log/slog"

	"smsd/internal/config"
	"smsd/internal/requestid"
)

// NewLogger returns the logger that l asks for, writing to w. Every line that is logged with the context of
// a request carries the request's id.
func NewLogger(l config.Log, w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(l.Level)) // checked with the settings; the zero level is info
	o := &slog.HandlerOptions{Level: level}
	if l.Format == "json" {
		o.ReplaceAttr = inSeconds
		return slog.New(requestHandler{slog.NewJSONHandler(w, o)})
	}
	return slog.New(requestHandler{slog.NewTextHandler(w, o)})
}

// inSeconds writes durations as seconds, and says so in the name: JSON has no durations, and slog would write
// nanoseconds that nobody takes for such.
func inSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(a.Key+"_s", a.Value.Duration().Seconds())
}

const requestID = "request_id"

// requestHandler adds the request's id to each record.
type requestHandler struct{ slog.Handler }

func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := requestid.From(ctx); id != "" && !names(r, requestID) {
		r = r.Clone()
		r.AddAttrs(slog.String(requestID, id))
	}
	return h.Handler.Handle(ctx, r)
}

// names says whether r has an attribute of that name. The parts that promise request_id on their lines write it
// themselves, so that it is there under any logger; here it must not come a second time, since what reads a line
// of JSON with one name twice takes either, or neither.
func names(r slog.Record, name string) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		found = a.Key == name
		return !found
	})
	return found
}

func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
