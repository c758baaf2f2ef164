package gatewaytest

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
)

// A port at which nobody listens is given to nobody either.
func TestNobody(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(Nobody(t), "http://")
	if _, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("somebody answers: %v", err)
	}
	if l, err := net.Listen("tcp", address); err == nil {
		_ = l.Close()
		t.Error("another server may have it")
	}
}
