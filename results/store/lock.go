package store

import "errors"

// errInUse says that another process has locked a file.
var errInUse = errors.New("another sembra is using it: wait until it ends, or stop it")
