package jail

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// ids gives out user ids.
type ids struct {
	mu    sync.Mutex
	first uint32
	used  [blockOfIDs]bool
}

func newIDs() *ids {
	return &ids{first: firstID + blockOfIDs*rand.Uint32N((lastID-firstID)/blockOfIDs)}
}

func (i *ids) take() (uint32, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n := range i.used {
		if !i.used[n] {
			i.used[n] = true
			return i.first + uint32(n), nil
		}
	}
	return 0, fmt.Errorf("no user id is free: %d bots are running", blockOfIDs)
}

func (i *ids) giveBack(id uint32) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.used[id-i.first] = false
}
