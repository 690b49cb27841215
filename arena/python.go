package arena

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pythonHint names the version of Python that runs a program, if a line of its
// standard error is of a kind that often comes from the wrong version. It returns ""
// if the line is not, or if the version is not known.
func pythonHint(program, line string) string {
	kinds := []string{"SyntaxError:", "ModuleNotFoundError:", "ImportError:"}
	begins := func(kind string) bool { return strings.HasPrefix(line, kind) }
	if !slices.ContainsFunc(kinds, begins) {
		return ""
	}
	version := versionOf(program)
	if words := strings.Fields(firstLine(program)); version == "" && len(words) > 0 {
		interpreter, script := strings.CutPrefix(words[0], "#!")
		if filepath.Base(interpreter) == "env" { // #!/usr/bin/env python3
			interpreter, _ = exec.LookPath(words[len(words)-1])
		}
		if script {
			version = versionOf(interpreter)
		}
	}
	if version == "" {
		return ""
	}
	return " (Python " + version + ")"
}

// versionOf returns the version of Python in the name to which the links of an
// interpreter lead: python3 is a link to python3.12. It returns "" if the name has none.
func versionOf(program string) string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	found := regexp.MustCompile(`^python(\d+\.\d+)t?$`).FindStringSubmatch(filepath.Base(real))
	if found == nil {
		return ""
	}
	return found[1]
}

// firstLine returns the beginning of the first line of a file.
func firstLine(path string) string {
	const most = 256 // as long as a system reads the line of a script
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, most)) // what could be read is enough
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return string(line)
}
