package records

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"smsd/internal/phone"
)

// NotExported says what an export leaves out, and why. What else there is of a number is nobody's to read.
func NotExported() []string {
	return []string{
		"addresses and devices, of which only the keyed hashes shown are kept",
		"live counters, which are under keyed hashes, and codes that are out, which nobody is shown; both end by themselves",
		"log lines, which have the number masked, and what the gateway and the apps keep",
	}
}

// Exported counts what an export has written.
type Exported struct {
	Verifications int64 `json:"verifications"`
	Decisions     int64 `json:"decisions"`
}

// Export writes to w everything that the rows hold about a number, in clear, for its owner: one JSON object, with
// verifications and decisions, newest first. It holds one page at a time. After an error what was written is no JSON.
func (d *Desk) Export(ctx context.Context, n phone.Number, w io.Writer) (Exported, error) {
	var done Exported
	out := &objectWriter{w: w}
	filter := Filter{Phones: d.keys.Phones(n), Now: d.now().UTC()}
	out.member("phone", n.E164())
	out.member("at", filter.Now)
	out.begin("verifications")
	err := all(ctx, filter, d.reader.Verifications, func(rows []Verification) error {
		for _, row := range rows {
			done.Verifications++
			out.element(clearVerification(row, filter.Now))
		}
		return out.err
	})
	if err != nil {
		return done, err
	}
	out.end()
	out.begin("decisions")
	err = all(ctx, filter, d.reader.Decisions, func(rows []Decision) error {
		for _, row := range rows {
			done.Decisions++
			out.element(clearDecision(row))
		}
		return out.err
	})
	if err != nil {
		return done, err
	}
	out.end()
	out.member("rows", done)
	out.member("not_included", NotExported())
	out.close()
	return done, out.err
}

// Live is a verification that may have a code that is out.
type Live struct{ SMSID, App string }

// Apps returns the apps that have rows of a number, and its verifications that were not long over at now: whose end is behind
// since. It is what to ask other stores about before [Desk.Erase].
func (d *Desk) Apps(ctx context.Context, n phone.Number, since time.Time) (apps []string, live []Live, err error) {
	known := map[string]bool{}
	note := func(app string) {
		if !known[app] {
			known[app] = true
			apps = append(apps, app)
		}
	}
	filter := Filter{Phones: d.keys.Phones(n), Now: d.now().UTC()}
	err = all(ctx, filter, d.reader.Verifications, func(rows []Verification) error {
		for _, v := range rows {
			note(v.App)
			if v.ExpiresAt.After(since) {
				live = append(live, Live{v.SMSID, v.App})
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	err = all(ctx, filter, d.reader.Decisions, func(rows []Decision) error {
		for _, r := range rows {
			note(r.App)
		}
		return nil
	})
	return apps, live, err
}

// Erase takes a number out of every row, under every secret in rotation: see [Keeper]. Afterwards nothing can
// find it; what is written later is not erased.
func (d *Desk) Erase(ctx context.Context, n phone.Number) (Erased, error) {
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	erased, err := d.keeper.Erase(ctx, d.keys.Phones(n))
	if err != nil {
		return erased, away(err)
	}
	return erased, nil
}

// eraseTimeout is for the number with the most rows: a test number that a suite has used for months.
const eraseTimeout = 2 * time.Minute

// objectWriter writes one JSON object, member by member, and stops at the first error.
type objectWriter struct {
	w     io.Writer
	err   error
	begun bool // a member, or an element of the list
	open  bool
}

func (o *objectWriter) text(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

func (o *objectWriter) value(v any) {
	if o.err != nil {
		return
	}
	var encoded []byte
	if encoded, o.err = json.Marshal(v); o.err == nil {
		_, o.err = o.w.Write(encoded)
	}
}

func (o *objectWriter) name(name string) {
	if o.open {
		o.text(",\n")
	} else {
		o.text("{")
	}
	o.open = true
	o.value(name)
	o.text(": ")
}

func (o *objectWriter) member(name string, v any) {
	o.name(name)
	o.value(v)
}

func (o *objectWriter) begin(name string) {
	o.name(name)
	o.text("[")
	o.begun = false
}

func (o *objectWriter) element(v any) {
	if o.begun {
		o.text(",")
	}
	o.begun = true
	o.text("\n  ")
	o.value(v)
}

func (o *objectWriter) end() { o.text("]") }

func (o *objectWriter) close() { o.text("}\n") }
