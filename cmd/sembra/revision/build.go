package revision

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// BuildTime is the longest that a build may take.
const BuildTime = 10 * time.Minute

// run runs a build command by the shell, as the user would. What it prints goes to a file.
func run(ctx context.Context, command, folder, log string) error {
	output, err := os.Create(log)
	if err != nil {
		return err
	}
	defer output.Close()
	building, cancel := context.WithTimeout(ctx, BuildTime)
	defer cancel()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, output, output
	end, err := start(cmd)
	if err != nil {
		return err
	}
	defer end()
	defer context.AfterFunc(building, end)()
	err = cmd.Wait()
	last, _ := os.ReadFile(log)
	failed := &Error{Output: lastLines(last)}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case building.Err() != nil:
		failed.Problem = "the build took more than " + BuildTime.String() + " and was ended"
	case errors.As(err, new(*exec.ExitError)):
		failed.Problem = "the build failed (" + err.Error() + ")"
	default:
		return err
	}
	return failed
}

// lastLines returns the end of what a build printed.
func lastLines(text []byte) string {
	const lines, most = 20, 4000
	text = bytes.TrimSpace(text[max(0, len(text)-most):])
	all := bytes.Split(text, []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}
