package results

import (
	"testing"
	"time"
)

func TestMillis(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 1: "0.000001", time.Millisecond: "1", 1500 * time.Microsecond: "1.5",
		time.Hour + 10: "3600000.00001",
	} {
		if got := millis(d); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
}
