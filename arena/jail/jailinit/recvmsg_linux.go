//go:build linux && !386

package jailinit

import "syscall"

// sysRecvmsg is the number of the system call recvmsg.
const sysRecvmsg = syscall.SYS_RECVMSG
