package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// mostPath is the longest path of a socket, in bytes. Systems allow from 104 to 108.
const mostPath = 100

// errNobody says that no process shares a file.
var errNobody = errors.New("it does not answer")

// socketName returns a short name that depends on the file alone, and not on the path to it.
func socketName(file *os.File) (string, error) {
	id, err := fileID(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8]), nil
}

// listen creates the socket of a file in the first folder where that is possible. The caller has the file
// locked, so a socket that exists already is the remains of a kill.
func listen(folders []string, file *os.File) (net.Listener, error) {
	name, err := socketName(file)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, folder := range folders {
		path := filepath.Join(folder, name)
		_ = os.Mkdir(folder, 0o700) // usable finds out whether it exists now
		if err := usable(folder, path); err != nil {
			reasons = append(reasons, err.Error())
			continue
		}
		removeStale(folder)
		listener, err := listenIn(folder, path)
		if err == nil {
			return listener, nil
		}
		reasons = append(reasons, err.Error())
	}
	return nil, errors.New(strings.Join(reasons, "; "))
}

// listenIn creates a socket in a folder. Until somebody listens on it, it looks like the socket of a killed run;
// the lock keeps other processes from removing it.
func listenIn(folder, path string) (net.Listener, error) {
	locked, err := lockFolder(folder, true)
	if err != nil {
		return nil, err
	}
	defer locked.Close()
	_ = os.Remove(path)
	return net.Listen("unix", path)
}

// lockFolder locks a folder, for this process alone or together with others. It waits for processes that have
// locked it. The lock ends when the caller closes the file that lockFolder returns.
func lockFolder(folder string, shared bool) (*os.File, error) {
	file, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	const most = 5000 // tries, a millisecond apart; others have the lock for less, unless they are stopped
	for range most {
		if err = lock(file, shared); err == nil {
			return file, nil
		}
		if !errors.Is(err, errInUse) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	file.Close()
	return nil, fmt.Errorf("%s cannot be locked: %w", folder, err)
}

// usable checks that a socket can be in a folder, at a path.
func usable(folder, path string) error {
	if len(path) > mostPath {
		return fmt.Errorf("%s is too long for the path of a socket", path)
	}
	return checkFolder(folder)
}

// removeStale removes the sockets in a folder on which nobody listens: those of killed runs.
func removeStale(folder string) {
	locked, err := lockFolder(folder, false)
	if err != nil {
		return // a later run removes them
	}
	defer locked.Close()
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if entry.Type()&os.ModeSocket == 0 {
			continue
		}
		conn, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			conn.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			_ = os.Remove(path)
		}
	}
}

// dial connects to the process that listens on the socket with a name; errNobody says that there is none. The
// error also says which folders could not be searched.
func dial(folders []string, name string) (net.Conn, error) {
	nobody := errNobody
	for _, folder := range folders {
		path := filepath.Join(folder, name)
		if err := usable(folder, path); err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				nobody = fmt.Errorf("%w; %w", nobody, err)
			}
			continue
		}
		if conn, err := net.DialTimeout("unix", path, patience); err == nil {
			return conn, nil
		}
	}
	return nil, nobody
}
