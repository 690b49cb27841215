//go:build linux && long

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestSmallMemoryLong(t *testing.T) {
	t.Parallel()
	manyStarts(t, 100)
}

// TestAsOrdinaryUser runs the other tests again without any privilege.
func TestAsOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("this is an ordinary user")
	}
	const nobody = 65534
	dir := must2(os.MkdirTemp("/tmp", "sandbox-of-nobody-"))
	defer os.RemoveAll(dir)
	must(t, errors.Join(os.Chmod(dir, 0o755), os.Mkdir(dir+"/tmp", 0o700), os.Chown(dir+"/tmp", nobody, nobody)))
	self := must2(os.ReadFile(bot(t).Program))
	put(t, dir+"/test", string(self), 0o755)
	cmd := exec.Command(dir+"/test", "-test.v", "-test.short", "-test.skip=TestAsOrdinaryUser")
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + dir + "/tmp", "HOME=" + dir + "/tmp"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	} else if strings.Contains(string(text), "--- SKIP: TestDisk") {
		t.Errorf("an ordinary user has no namespaces, or the sandbox does not use them:\n%s", text)
	} else if testing.Verbose() {
		t.Logf("%s", text)
	}
}
