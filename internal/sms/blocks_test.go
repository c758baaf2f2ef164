package sms

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// The index says what looking at every block says.
func TestBlockIndexAgreesWithItsBlocks(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	now := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	number := func() phone.Number { return phone.MustParse(fmt.Sprintf("+8613800%06d", random.IntN(20))) }
	ip := func() netip.Addr {
		if random.IntN(2) == 0 {
			return netip.AddrFrom4([4]byte{203, 0, byte(random.IntN(4)), byte(random.IntN(256))})
		}
		return netip.AddrFrom16([16]byte{0x20, 1, 5: byte(random.IntN(4)), 15: byte(random.IntN(4))})
	}
	block := func() (b Block) {
		switch random.IntN(4) {
		case 0:
			b.Number = number()
		case 1:
			b.Prefix = number().E164()[:5+random.IntN(10)]
		case 2:
			one := ip()
			b.Network = netip.PrefixFrom(one, random.IntN(one.BitLen()+1)) // host bits set, too
		case 3:
			b.Country = []string{"US", "DE", "CN"}[min(random.IntN(20), 2)]
			b.Country = []string{b.Country, "FR"}[random.IntN(2)]
		}
		if random.IntN(2) == 0 {
			b.Until = now.Add(time.Duration(random.IntN(3)-1) * time.Second)
		}
		return b
	}
	covered := 0
	for range 3000 {
		blocks := make([]Block, random.IntN(6))
		for i := range blocks {
			blocks[i] = block()
		}
		index := newBlockIndex(blocks)
		n, client := number(), address.From(ip())
		if random.IntN(10) == 0 {
			client = address.Addr{}
		}
		want := slices.ContainsFunc(blocks, func(b Block) bool { return b.Covers(n, client, now) })
		if got := index.refusal(n, client, now); errors.Is(got, ErrBlocked) != want {
			t.Fatalf("%s of %s: %v, want %v among %+v", n.E164(), client.IP(), got, want, blocks)
		}
		if want {
			covered++
		}
	}
	if covered < 300 || covered > 2700 {
		t.Errorf("%d of 3000 were covered: the test looks at one side only", covered)
	}
}

func BenchmarkTenThousandBlocks(b *testing.B) {
	var blocks []Block
	for i := range 2500 {
		blocks = append(blocks, Block{Number: phone.MustParse(fmt.Sprintf("+86139%08d", i))},
			Block{Prefix: fmt.Sprintf("+44740%d", i)}, Block{Country: "ZZ"},
			Block{Network: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i / 256), byte(i)}), 24)})
	}
	index := newBlockIndex(blocks)
	n, client := phone.MustParse("+8613800138000"), address.From(netip.MustParseAddr("203.0.113.7"))
	for b.Loop() {
		if index.refusal(n, client, time.Time{}) != nil {
			b.Fatal("blocked")
		}
	}
}
