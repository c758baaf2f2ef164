package records

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// A spool's file is a row of frames, one for each batch:
//
//	ff 's' 'r' version   length of the payload, checksum of the payload (both 32 bits, big-endian)   payload
//
// The payload is the batch as JSON, under the names of its tags. JSON has no byte ff, so that the start of a frame is
// found again behind damage. The checksum is CRC-32C.
const (
	frameVersion = 1
	frameHeader  = 12
	// maxFrame bounds a payload: 500 rows of 540 bytes are a sixtieth of it.
	maxFrame = 16 << 20
)

var (
	frameMagic = []byte{0xff, 's', 'r'}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// errVersion says that another version of this program wrote a frame.
var errVersion = errors.New("another version of smsd wrote it: let that one write it to the database first, or move the file away")

// encodeFrame returns the frame of a batch.
func encodeFrame(b Batch) ([]byte, error) {
	payload, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("encode a batch: %w", err)
	}
	if len(payload) > maxFrame {
		return nil, fmt.Errorf("a batch of %d bytes: at most %d fit", len(payload), maxFrame)
	}
	frame := make([]byte, 0, frameHeader+len(payload))
	frame = append(append(frame, frameMagic...), frameVersion)
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(payload)))
	frame = binary.BigEndian.AppendUint32(frame, crc32.Checksum(payload, castagnoli))
	return append(frame, payload...), nil
}

// frame is where one lies in a text.
type frame struct {
	version int
	payload []byte
	skipped int // bytes in front of it that are no frame
	end     int // behind it
}

// firstFrame finds the first whole frame in data. Where there is none, ok is false: all of it is damaged, or the
// beginning of one that was torn off.
func firstFrame(data []byte) (f frame, ok bool) {
	for at := 0; ; at++ {
		next := bytes.Index(data[at:], frameMagic)
		if next < 0 {
			return frame{}, false
		}
		at += next
		if f, ok := frameAt(data, at); ok {
			return f, true
		}
	}
}

// frameAt reads the frame that starts at an offset.
func frameAt(data []byte, at int) (f frame, ok bool) {
	head := data[at:]
	if len(head) < frameHeader {
		return frame{}, false
	}
	size := binary.BigEndian.Uint32(head[4:])
	if size > maxFrame || int(size) > len(head)-frameHeader {
		return frame{}, false
	}
	payload := head[frameHeader : frameHeader+int(size)]
	if crc32.Checksum(payload, castagnoli) != binary.BigEndian.Uint32(head[8:]) {
		return frame{}, false
	}
	return frame{version: int(head[3]), payload: payload, skipped: at, end: at + frameHeader + int(size)}, true
}

// isTorn says whether data, which is no frame, may be what a crash leaves of the last one: its beginning, or room to which nothing was
// written yet. Anything else was whole once.
func isTorn(data []byte) bool {
	if len(bytes.Trim(data, "\x00")) == 0 {
		return true
	}
	if len(data) < frameHeader {
		return bytes.HasPrefix(data, frameMagic[:min(len(data), len(frameMagic))])
	}
	size := binary.BigEndian.Uint32(data[4:])
	return bytes.HasPrefix(data, frameMagic) && size <= maxFrame && int(size) > len(data)-frameHeader
}

// batch decodes the payload.
func (f frame) batch() (Batch, error) {
	if f.version != frameVersion {
		return Batch{}, fmt.Errorf("version %d: %w", f.version, errVersion)
	}
	var b Batch
	if err := json.Unmarshal(f.payload, &b); err != nil {
		return Batch{}, errors.New("its checksum is right, but it is no batch") // the error may quote it
	}
	return b, nil
}
