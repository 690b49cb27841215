//go:build !linux

package guest

// AllowedProcessors returns none: bots cannot be bound to processors on this
// system.
func AllowedProcessors() []int { return nil }

func claimProcessor(int) (release func(), ok bool) { return nil, false }

func bindThread([]int) {}
