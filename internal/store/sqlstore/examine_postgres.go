package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// postgresChecks are what a server is asked, the reach first.
func postgresChecks() []check {
	return []check{
		{"reach", examineVersion},
		{"primary", examinePrimary},
		{"durability", examineDurability},
		{"permission", examinePermission},
		{"clock", examineClock},
	}
}

func examineVersion(ctx context.Context, in runner) (seen, do string, err error) {
	err = in.row(ctx, "SELECT 'PostgreSQL ' || current_setting('server_version')").Scan(&seen)
	return seen, "", err
}

func examinePrimary(ctx context.Context, in runner) (seen, do string, err error) {
	var standby, readOnly bool
	err = in.row(ctx, "SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')::boolean").Scan(&standby, &readOnly)
	switch {
	case standby:
		return "the server is a standby, which takes no writes", "name the primary, or several hosts with target_session_attrs=read-write", err
	case readOnly:
		return "transactions are read-only by default (default_transaction_read_only)", "turn that off for this user", err
	}
	return "the server takes writes", "", err
}

// examineDurability looks for what makes a server answer before it has written.
func examineDurability(ctx context.Context, in runner) (seen, do string, err error) {
	var fsync, commit, pages string
	err = in.row(ctx, "SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')").Scan(&fsync, &commit, &pages)
	var off []string
	for name, value := range map[string]string{"fsync": fsync, "synchronous_commit": commit, "full_page_writes": pages} {
		if value == "off" {
			off = append(off, name)
		}
	}
	if len(off) > 0 {
		return strings.Join(off, ", ") + " is off: what was answered may be lost in a crash", "turn it on", err
	}
	return "fsync and full_page_writes are on, synchronous_commit is " + commit, "", err
}

// examinePermission asks for what a start needs where the schema is pending, or else for what an instance does.
func examinePermission(ctx context.Context, in runner) (seen, do string, err error) {
	var create, write bool
	err = in.row(ctx, `SELECT has_schema_privilege(current_schema(), 'CREATE'),
	COALESCE(has_table_privilege(to_regclass('verifications'), 'SELECT, INSERT') AND has_table_privilege(to_regclass('verifications'), 'UPDATE')
		AND has_table_privilege(to_regclass('verifications'), 'DELETE'), false)`).Scan(&create, &write)
	switch {
	case write && create:
		return "the user may write rows and change tables", "", err
	case write:
		return "the user may write rows, and not change tables", "", err // smsd migrate up is another user's then
	case create:
		return "the user may make the tables", "", err
	}
	return "the user may neither write rows nor make tables", "grant CREATE on the schema, or SELECT, INSERT, UPDATE and DELETE on its tables", err
}

const (
	// maxSkew is what NTP keeps by far. Instances write instants of their own clocks.
	maxSkew       = time.Second
	clockReadings = 5
)

// examineClock compares this machine's clock with the server's: of several readings the quickest tells most.
func examineClock(ctx context.Context, in runner) (seen, do string, err error) {
	best, ahead := time.Hour, time.Duration(0)
	for range clockReadings {
		began := time.Now()
		var micros int64
		if err := in.row(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").Scan(&micros); err != nil {
			return "", "", err
		}
		if trip := time.Since(began); trip < best {
			best, ahead = trip, time.UnixMicro(micros).Sub(began.Add(trip/2))
		}
	}
	seen = fmt.Sprintf("the server's clock differs by %.2f ms (round trip %.2f ms)", ms(ahead.Abs()), ms(best))
	if ahead.Abs()-best/2 > maxSkew { // what is certain of it
		do = "set both clocks by NTP"
	}
	return seen, do, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
