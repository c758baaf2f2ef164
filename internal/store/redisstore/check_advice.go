package redisstore

import (
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"

	"smsd/internal/throttle"
)

// startFault says what is to be changed where that is certain, and otherwise that the server is out of reach.
func (c *Client) startFault(command string, err error) error {
	if advice := adviceFor(err); advice != "" {
		return fmt.Errorf("redis: %s: %w", advice, err)
	}
	if mentions(err, "NOPERM", "ACL failure", "The user executing the script can't") { // the last two inside of scripts
		return fmt.Errorf("redis: a permission is missing, as %s shows: %w (ACL; needed are ~%s* &%s* %s)",
			command, err, c.keys, c.keys, c.needed())
	}
	return failed(throttle.ErrUnavailable, strings.ToLower(command), err)
}

// adviceFor says what is wrong where waiting does not help; "": nothing of that kind.
func adviceFor(err error) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, ofSentinel := errors.AsType[sentinelError](err)
	switch {
	case ofSentinel && mentions(err, "WRONGPASS", "NOAUTH"):
		return "the sentinels ask for a password of their own: add ?sentinel_password=... to the URL, and &sentinel_user=... if it is a user's"
	case mentions(err, "WRONGPASS", "NOAUTH"):
		return "the user or the password of the URL is refused"
	case mentions(err, "DB index is out of range", "invalid DB index"):
		return "the database named at the end of the URL is not there"
	case mentions(err, "CROSSSLOT"):
		return "the server is a node of a Redis Cluster: begin the URL with redis+cluster:// (or rediss+cluster://)"
	case mentions(err, "cluster support disabled"):
		return "the server is not a node of a Redis Cluster: begin the URL with redis:// (or rediss://)"
	case mentions(err, "No such master"):
		return "the sentinels watch no primary of the name at the end of the URL"
	case mentions(err, "unknown command 'SENTINEL'", "unknown command `SENTINEL`", "unknown command 'sentinel'"):
		return "the servers of the URL are no sentinels"
	case untrusted:
		return "the server's certificate is not trusted (the file that SSL_CERT_FILE names must hold its authority's, and it must name the host of the URL)"
	}
	return ""
}

// What an ACL user needs: the commands of the calls and of a connection's start; in a cluster, those that tell where
// keys are. Beside them INFO tells the eviction policy, and SCAN finds the counters to empty, in development and when a number
// is erased: no request depends on either. Without PUBLISH and SUBSCRIBE resets are heard of up to a second later; see events.go.
const (
	needed        = "+hello +client|setname +time +evalsha +eval +mget +set +del +publish +subscribe"
	neededCluster = needed + " +cluster|slots +asking"
)

func (c *Client) needed() string {
	if c.servers.kind == cluster {
		return neededCluster
	}
	return needed
}

func mentions(err error, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(err.Error(), sign) })
}
