package config

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"smsd/internal/secret"
)

// document is a koanf.Parser for the YAML of one file. It gives koanf the number of each entry instead
// of its text, and collects what is at fault on the way: unknown and repeated keys, and what is
// not a plain value.
type document struct {
	path    string
	entries []entry
	faults  Faults
}

// Unmarshal implements koanf.Parser. It always succeeds; what is wrong is in d.faults.
func (d *document) Unmarshal(text []byte) (map[string]any, error) {
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var node yaml.Node
	switch err := decoder.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil, nil // an empty file sets nothing
	case err != nil:
		d.syntax(err)
		return nil, nil
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.fault("", &node, "must be one document")
	}
	return d.section(node.Content[0], ""), nil
}

// Marshal implements koanf.Parser; nobody writes settings.
func (d *document) Marshal(map[string]any) ([]byte, error) {
	return nil, errors.New("settings are not written")
}

// section reads a mapping; prefix is its own path with a dot behind it, or empty.
func (d *document) section(node *yaml.Node, prefix string) map[string]any {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		d.fault(strings.TrimSuffix(prefix, "."), node, "must be a block of settings")
		return nil
	}
	values := map[string]any{}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i].Value
		if seen[name] {
			d.fault(prefix+name, node.Content[i], "stands here a second time")
			if first, ok := values[name].(int); ok {
				d.entries[first].faulty = true
			}
			continue
		}
		seen[name] = true
		if v := d.value(prefix+name, node.Content[i], node.Content[i+1]); v != nil {
			values[name] = v
		}
	}
	return values
}

// value reads what stands under key; nil if nothing is to be set.
func (d *document) value(key string, name, node *yaml.Node) any {
	switch {
	case strings.Contains(name.Value, "."):
		d.fault(key, name, "must be written as a block, its parts on lines of their own")
	case isGateway(key) && gatewayName(name.Value) != nil:
		d.fault(key, name, "the name "+gatewayName(name.Value).Error())
	case isSection(key):
		if block := d.section(node, key+"."); len(block) > 0 {
			return block
		}
	case !isKey(key):
		d.fault(key, name, unknown(key, fileKeys()))
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
	default:
		text, ok := d.text(key, node)
		d.entries = append(d.entries, entry{secret.New(text), Origin{File: d.path, Line: node.Line}, !ok})
		return len(d.entries) - 1
	}
	return nil
}

// text reads a scalar, or a list of them as the environment writes it.
func (d *document) text(key string, node *yaml.Node) (string, bool) {
	switch node.Kind {
	case yaml.ScalarNode:
		return node.Value, true
	case yaml.SequenceNode:
		return d.list(key, node)
	case yaml.AliasNode:
		d.fault(key, node, "must not be an alias; a value that begins with * is quoted")
	default:
		d.fault(key, node, "must be a plain value")
	}
	return "", false
}

func (d *document) list(key string, node *yaml.Node) (string, bool) {
	texts := make([]string, 0, len(node.Content))
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode || strings.Contains(item.Value, ",") {
			d.fault(key, item, "must be a list of plain values without commas")
			return "", false
		}
		texts = append(texts, item.Value)
	}
	return strings.Join(texts, ","), true
}

func (d *document) fault(path string, at *yaml.Node, message string) {
	d.faults = append(d.faults, Fault{Path: path, Origin: Origin{File: d.path, Line: at.Line}, Message: message})
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax keeps the line of a YAML error apart. One about anchors repeats a value, which may be a secret.
func (d *document) syntax(err error) {
	found := yamlError.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	if found == nil {
		found = []string{"", "", "not readable"}
	}
	line, _ := strconv.Atoi(found[1])
	message := found[2]
	if strings.Contains(message, "anchor") {
		message = "a value that begins with * or & must be quoted"
	}
	d.faults = append(d.faults, Fault{Origin: Origin{File: d.path, Line: line}, Message: fmt.Sprintf("is not YAML: %s", message)})
}
