package jail

import (
	"os/exec"
	"time"
)

// Inmate is one process of a bot. Its methods may be called from any
// goroutine, except Started and Close, which are called once and in this order.
type Inmate interface {
	// Command is given standard input, output and error and a WaitDelay by the
	// caller, and is started by the caller, on a thread that lives as long as
	// the bot may.
	Command() *exec.Cmd

	// Started is told what [exec.Cmd.Start] returned, right after it, and returns
	// whether the bot was executed: an [*ExecError] if its program cannot be, or
	// another error, which is the runner's own. After an error nothing is left
	// running; a command that was started has still to be waited for.
	Started(error) error

	// CPU returns the processor time that the bot has taken so far: with its
	// family in a jail, else its own. After Close it is the sum of all. It may
	// be unknown.
	CPU() (time.Duration, bool)

	// Pause stops the bot until Resume, as far as the system can: with all that it
	// started in a jail, else its process group.
	Pause()
	Resume()

	// Left returns how many processes of the bot's group there are beside it. It
	// is not known of a jail, from which they cannot escape.
	Left() (processes int, known bool)

	// Exit returns how the bot's own process exited, in the words of
	// [os.ProcessState], or "" if that is not known. It is known after the command
	// was waited for; of a bot that was killed before it may be unknown.
	Exit() string

	// Kill ends the bot and, in a jail, all that it started; else its process
	// group. It does not wait, and may be called more than once.
	Kill()

	// Close releases what is left. It is called after [exec.Cmd.Wait], or if the
	// command could not be started or never was.
	Close()
}
