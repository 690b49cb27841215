package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless opens a new file that never has a name, so a kill at any moment leaves nothing behind. Some
// file systems do not support this.
func nameless(folder string) (*os.File, error) {
	return os.OpenFile(folder, unix.O_TMPFILE|os.O_RDWR, 0o600)
}
