package guest

import "time"

// keepLog keeps what the bot writes to its standard error, until its end.
func (p *process) keepLog() {
	for b := make([]byte, 8<<10); ; {
		n, err := p.errors.Read(b)
		_, _ = p.log.take(time.Now, func(kept []byte) (int, error) { return copy(kept, b[:n]), nil })
		if err != nil {
			return
		}
	}
}

// Drain is not possible on this system: reading would wait.
func (p *process) Drain(time.Time) {}
