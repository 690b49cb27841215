package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// mostPath is the longest path of a socket, in bytes. Systems allow from 104 to 108.
const mostPath = 100

// errNobody says that no process shares a file.
var errNobody = errors.New("nobody answers")

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
	var errs []error
	for _, folder := range folders {
		path := filepath.Join(folder, name)
		if len(path) > mostPath {
			errs = append(errs, fmt.Errorf("%s is too long for the path of a socket", path))
			continue
		}
		_ = os.Mkdir(folder, 0o700) // checkFolder finds out whether it exists now
		if err := checkFolder(folder); err != nil {
			errs = append(errs, err)
			continue
		}
		_ = os.Remove(path)
		removeStale(folder)
		listener, err := net.Listen("unix", path)
		if err == nil {
			return listener, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// removeStale removes the sockets in a folder on which nobody listens: those of killed runs.
func removeStale(folder string) {
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

// dial connects to the process that listens on the socket with a name; errNobody says that there is none.
func dial(folders []string, name string) (net.Conn, error) {
	for _, folder := range folders {
		path := filepath.Join(folder, name)
		if len(path) > mostPath || checkFolder(folder) != nil {
			continue
		}
		if conn, err := net.DialTimeout("unix", path, patience); err == nil {
			return conn, nil
		}
	}
	return nil, errNobody
}
