// Package rehearsal lets people try a vendor's flow offline: the vendor's real driver, in front of the vendor's fake in this
// process, over HTTP on loopback, and what the fake takes lands in the inbox of the mock gateway.
//
// All is as with the vendor (the request, its signature, the codes of the answers and what the driver makes of them) but that
// nothing leaves the machine. The credentials are made up, and different in each process. The mock gateway's faults become the
// vendor's own words: a throttled number is isv.BUSINESS_LIMIT_CONTROL, or 14107. A time-out is a connection that ends
// without an answer, a malformed answer is a page. Asked for a report on a message ([mock.Gateway.Report]), the vendor makes its
// own call about what it was sent, with its secret or its signature, and the driver verifies and reads it.
//
// Each message has a listener of its own, on 127.0.0.1, for as long as its Send lasts: there is nothing to close.
package rehearsal
