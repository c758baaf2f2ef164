// Package policy turns the text that fraud teams write into a checked [sms.Policy], and keeps the
// newest good one in force while the service runs.
//
// [Parse] is the way from text to policy. It reads the YAML as a tree of nodes and not into structs, so
// that every fault has a line, a column and a path (scenes.login.limits[2].window), and so that a file is
// told everything that is wrong with it at once. What it takes is small on purpose: one document, plain
// mappings, lists and scalars, at most [MaxSize]; no anchors, aliases, merge keys or tags; no key that is
// unknown or written twice. A policy that was accepted has compiled rules and needs no further check.
//
// # Texts and what they take
//
// The templates of a scene are made once all is read: file template_read.go reads them, template_make.go makes [sms.Template]s with
// the variables of whose scene it is, and template_fault.go tells at which part of the file something is wrong. Then every [Text] is
// measured at its longest, by language, by gateway and by app, and its cost reckoned by the prices; what is over its scene's
// budget is a fault like any other. [Lint] shows the same without refusing it. Routes are checked against the scenes here, and
// against the gateways of the settings by whoever knows these, since a policy knows gateways by name alone.
//
// # The one in force
//
// [Source] holds the policy in force. It reads a file when it is opened, when it is told to, and when it
// sees it change; a faulty file changes nothing but the log and the metrics.
//
// Faults and warnings are for logs and terminals: they never hold a telephone number, an address or a code,
// so they name places, and of values only words of the format. The format itself is explained, for those
// who write it, in docs/policy.md.
package policy
