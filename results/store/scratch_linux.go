package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless opens a new file that never has a name, so that a kill at any moment leaves nothing behind.
// Not every file system can.
func nameless() (*os.File, error) {
	return os.OpenFile(os.TempDir(), unix.O_TMPFILE|os.O_RDWR, 0o600)
}
