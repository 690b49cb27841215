package sandbox

import (
	"errors"
	"os/exec"
	"time"
)

// Process is one process of a bot. Its methods may be called from any goroutine,
// except Start, Started, Wait and Close, which are called once and in this order.
type Process interface {
	// Command returns the command that runs the bot. The caller sets its standard
	// input, output and error and its WaitDelay, and reads its process.
	Command() *exec.Cmd

	// Start starts the command. It is called on a thread that lives as long as the bot
	// may live, and returns soon.
	Start() error

	// Started takes the result of Start, right after that call, and returns nil if
	// the bot was executed. It returns an [*ExecError] if the system cannot execute
	// the program. Any other error is a failure of the runner. After an error nothing
	// is left running, but the caller still has to wait for a command whose Start
	// succeeded.
	Started(error) error

	// Wait waits for the command, as [exec.Cmd.Wait].
	Wait() error

	Control

	// Exit returns how the bot's own process exited, in the words of
	// [os.ProcessState]. It returns "" if that is not known: before Wait, and for
	// a bot that was killed in a sandbox.
	Exit() string

	// Kill ends the bot, with the processes that Pause stops. It does not wait, and may
	// be called again.
	Kill()

	// Close releases what is left. The caller calls it after Wait, or
	// instead of Start, or after the start failed.
	Close()
}

// Control is what can be done with a bot that runs, and what can be known of it.
type Control interface {
	// CPU returns the processor time that the bot has used so far, and false if
	// it is not known. It includes the processes that the bot started. Without a
	// control group, it misses the ended children of processes that ignore SIGCHLD.
	// Without a sandbox it misses those for whose end nobody has waited, and on
	// systems other than Linux all that still run.
	CPU() (time.Duration, bool)

	// IgnoresChildren reports whether CPU misses processes because the bot, or a process
	// that it has started, ignores SIGCHLD.
	IgnoresChildren() bool

	// Memory returns the memory in bytes that the bot, with all that it has started,
	// holds in RAM, without what files back. It returns false where that is not known.
	// It may return that of another process if the caller has waited for the command.
	Memory() (bytes int64, known bool)

	// Pause stops the bot until Resume, if the system can. In a sandbox it stops all
	// processes that the bot started. Without one it stops the bot's process group,
	// and on Linux its other descendants. Where no control group freezes the bot,
	// Pause sends SIGSTOP. A process that arranges for a SIGCONT then runs again,
	// until Pause notices it. The caller has not waited for the command.
	Pause()
	Resume()

	// Bind lets the bot, with all that it has started, run only on these
	// processors, if the system can. What the bot starts later inherits that.
	// The caller has not waited for the command.
	Bind(processors []int)
}

// ErrEnded says that a process of the sandbox itself ended before it executed the bot.
// That is a failure of the runner, such as when the machine runs out of memory. The
// next start uses new processes.
var ErrEnded = errors.New("the process that has to start the bot ended")
