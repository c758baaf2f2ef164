// Package policy turns the text that fraud teams write into a checked [sms.Policy], and keeps the
// newest good one in force while the service runs.
//
// [Parse] is the way from text to policy. It reads the YAML as a tree of nodes and not into structs, so
// that every fault has a line, a column and a path (scenes.login.limits[2].window), and so that a file is
// told everything that is wrong with it at once. What it takes is small on purpose: one document, plain
// mappings, lists and scalars, at most [MaxSize]; no anchors, aliases, merge keys or tags; no key that is
// unknown or written twice. A policy that was accepted has compiled rules and needs no further check.
//
// [Source] holds the policy in force. It reads a file when it is opened, when it is told to, and when it
// sees it change; a faulty file changes nothing but the log and the metrics.
//
// Faults and warnings are for logs and terminals: they never hold a telephone number, an address or a code,
// so they name places, and of values only words of the format. The format itself is explained, for those
// who write it, in docs/policy.md.
package policy
