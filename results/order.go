package results

// Order is a schedule as the store sees it: which match is in which slot. Slots count from 1. Key and
// Slot are inverse to each other, and Slot says false of a key that is not in the schedule.
type Order interface {
	// Len is the number of slots.
	Len() int
	// Key is the match in a slot from 1 to Len.
	Key(slot int) Key
	// Slot is the place of a match.
	Slot(key Key) (slot int, ok bool)
}
