package jailinit

// sysRecvmsg is the number of the system call recvmsg, which Linux 4.3 brought to this
// architecture, and package syscall does not have.
const sysRecvmsg = 372
