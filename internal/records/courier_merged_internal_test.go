package records

import (
	"reflect"
	"testing"
)

// Batches that are replayed together are one with all their rows, of whatever kind there may come to be: a kind that is forgotten
// here is lost without a word.
func TestMergedBatchesHaveEveryRow(t *testing.T) {
	t.Parallel()
	const of, each = 3, 2
	var group []Batch
	for n := range of {
		b := Batch{Writer: "w", Seq: uint64(n + 1)}
		for _, f := range rowsOf(&b) {
			f.Set(reflect.MakeSlice(f.Type(), each, each))
		}
		group = append(group, b)
	}
	all := merged(group)
	if all.Writer != "w" || all.Seq != of {
		t.Errorf("writer %q, number %d", all.Writer, all.Seq)
	}
	kinds := rowsOf(&all)
	for i, f := range kinds {
		if f.Len() != of*each {
			t.Errorf("kind %d, %s: %d rows, want %d", i, f.Type(), f.Len(), of*each)
		}
	}
	if all.Rows() != of*each*len(kinds) {
		t.Errorf("%d rows are counted, want %d", all.Rows(), of*each*len(kinds))
	}
}

// rowsOf returns the kinds of rows of a batch.
func rowsOf(b *Batch) (kinds []reflect.Value) {
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Slice {
			kinds = append(kinds, v.Field(i))
		}
	}
	return kinds
}
