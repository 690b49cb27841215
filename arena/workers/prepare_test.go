package workers

import (
	"context"
	"errors"
	"testing"
	"time"

	"sembra/arena"
)

// TestMeasurementStopped: a run that ends while a worker measures its machine is no reason to refuse the next run.
func TestMeasurementStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := &worker{o: WorkerOptions{Measure: func(context.Context, arena.Isolation) (Charge, error) {
		cancel()
		return Charge{}, nil
	}}}
	if err := w.measure(ctx, &Plan{Time: arena.TimeControl{Move: time.Second}}, arena.Isolation{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
