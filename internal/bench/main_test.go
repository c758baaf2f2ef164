package bench

import (
	"fmt"
	"os"
	"testing"
)

// roleVariable makes this binary a server. It must not begin with SMSD_, since those are settings.
const roleVariable = "BENCH_ROLE"

// recordsVariable has smsd keep no records where it is recordsNone.
const (
	recordsVariable = "BENCH_RECORDS"
	recordsNone     = "none"
)

// The roles.
const (
	roleFloor = "floor"
	roleSMSD  = "smsd"
)

// TestMain is the servers' main too.
func TestMain(m *testing.M) {
	var err error
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case roleFloor:
		err = serveFloor()
	case roleSMSD:
		err = serveSMSD()
	default:
		err = fmt.Errorf("no role %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
