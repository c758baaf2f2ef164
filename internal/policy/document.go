package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Bounds of a file, well above any policy that people write.
const (
	// MaxSize is the largest file, in bytes: also what a Kubernetes ConfigMap holds at most.
	MaxSize  = 1 << 20
	maxNodes = 200_000 // 10,000 blocks of four keys and 10,000 test numbers of three have 160,000
	maxDepth = 16      // the format needs 8
)

// document reads text as one YAML document and returns its root, or reports why it is none.
func document(text []byte, r *report) (root place, ok bool) {
	if len(text) > MaxSize {
		r.fault(Fault{Message: fmt.Sprintf("the file is larger than %d bytes", MaxSize)})
		return place{}, false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	node, err := decode(decoder)
	if errors.Is(err, io.EOF) || err == nil && isNull(node) {
		r.fault(Fault{Line: 1, Column: 1, Message: "the file is empty; leave out policy_file to use the built-in policy"})
		return place{}, false
	}
	if err != nil {
		r.fault(syntaxFault(text, err))
		return place{}, false
	}
	if next, err := decode(decoder); !errors.Is(err, io.EOF) {
		r.fault(secondDocument(text, next, err))
		return place{}, false
	}
	root = place{report: r, node: node}
	return root, plain(root)
}

// decode returns the root of the next document. The parser panics on a few odd comments (its own text
// calls that an internal error); that too is only a file that can't be read.
func decode(d *yaml.Decoder) (root *yaml.Node, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, errors.New("yaml: not readable")
		}
	}()
	var doc yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 {
		return nil, errors.New("yaml: not readable")
	}
	return doc.Content[0], nil
}

func secondDocument(text []byte, root *yaml.Node, err error) Fault {
	if err != nil {
		return syntaxFault(text, err)
	}
	return Fault{Line: root.Line, Column: root.Column, Message: "a second document; a policy is one document, without --- in the middle"}
}

// plain reports what a policy may not be built of. Aliases are never followed, so that a small file
// can't stand for a large one.
func plain(root place) bool {
	w := walker{}
	w.visit(root, 0)
	return !w.stopped
}

type walker struct {
	nodes   int
	stopped bool
}

func (w *walker) visit(p place, depth int) {
	w.nodes++
	switch {
	case w.stopped:
		return
	case depth > maxDepth:
		w.stop(p, fmt.Sprintf("nested more than %d deep", maxDepth))
		return
	case w.nodes > maxNodes:
		w.stop(p, fmt.Sprintf("more than %d values in one file", maxNodes))
		return
	}
	refuseFeatures(p)
	for _, child := range p.children() {
		w.visit(child, depth+1)
	}
}

func (w *walker) stop(p place, message string) {
	w.stopped = true
	p.fault(message)
}

func refuseFeatures(p place) {
	switch n := p.node; {
	case n.Kind == yaml.AliasNode:
		p.fault("aliases (*name) are not supported; write the value out")
	case n.Anchor != "":
		p.fault("anchors (&name) are not supported; write the value out where it is needed")
	case n.Style&yaml.TaggedStyle != 0:
		p.fault("tags (!name) are not supported")
	}
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}
