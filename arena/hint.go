package arena

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sembra/arena/jail"
)

// BecauseOf begins what a message says about isolation, after all that the bot wrote.
const BecauseOf = "; isolation: "

// confinement is what a bot in a jail is kept from.
type confinement struct {
	layers jail.Layers
	limits jail.Limits
	cell   *jail.Cell
	dir    string // the bot's folder
}

// hint says whether isolation may have caused what a bot wrote before it ended, and
// which key of [isolation] in a tournament file would allow it. It returns "" if
// the text does not look like that.
func (c confinement) hint(line string) string {
	has := func(texts ...string) bool {
		lower := strings.ToLower(line)
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(lower, text) })
	}
	refused := has("permission denied", "eacces", "access is denied", "accessdenied")
	absent := has("no such file", "not found", "enoent", "cannot open", "can't open")
	switch unseen := c.unseen(line); {
	case c.layers.Files && unseen != "" && (refused || absent):
		return BecauseOf + "the bot cannot see " + unseen +
			" (read = [" + strconv.Quote(unseen) + "] in [isolation] shows it)"
	case c.layers.Files && has("read-only file system", "erofs"), c.layers.Files && refused && c.inFolder(line):
		return BecauseOf + "a bot may write only to its temporary folder, which the variable TMPDIR names"
	case c.layers.Disk && has("no space left", "enospc", "file too large", "file size limit", "efbig"):
		return BecauseOf + "the temporary folder of a bot holds " + Size(c.limits.TempSize()).String() +
			" (temp in [isolation] changes that)"
	case c.layers.Network && has("connection refused", "econnrefused", "network is unreachable", "enetunreach",
		"no route to host", "name or service not known", "name resolution", "getaddrinfo", "could not resolve host",
		"no such host", "eai_again"):
		return BecauseOf + "a bot has no network (network = true in [isolation] allows it)"
	case c.layers.Memory && has("cannot allocate memory", "memoryerror", "out of memory", "outofmemory",
		"bad_alloc", "enomem", "memory allocation of"):
		return BecauseOf + "a process of a bot may use " + Size(c.limits.Memory).String() +
			" of memory (memory in [isolation] changes that)"
	case c.layers.Processes && has("resource temporarily unavailable", "eagain", "can't start new thread",
		"unable to create native thread"):
		return BecauseOf + "a bot may have " + strconv.Itoa(c.limits.Processes) +
			" processes and threads (processes in [isolation] changes that)"
	}
	return ""
}

// scriptHint says why env does not find the interpreter of a script that was saved with
// the line ends of Windows. It returns "" for other lines.
func scriptHint(line string) string {
	if !strings.Contains(line, "env: ") || !strings.Contains(line, `\r`) {
		return ""
	}
	return `; the first line of the script ends with CR LF (hint: save it with LF line ends, or use sed -i 's/\r$//')`
}

// pathsIn returns the absolute paths that a text names.
func pathsIn(text string) []string {
	var paths []string
	for _, path := range regexp.MustCompile(`(?:^|[\s'"(=:])(/[^\s'"():,;]+)`).FindAllStringSubmatch(text, -1) {
		paths = append(paths, filepath.Clean(strings.TrimRight(path[1], ".")))
	}
	return paths
}

// unseen returns the first file or folder that a text names and that exists, but not
// for the bot; "" if there is none.
func (c confinement) unseen(text string) string {
	paths := pathsIn(text)
	if at := slices.IndexFunc(paths, c.cell.Conceals); at >= 0 {
		return paths[at]
	}
	return ""
}

// inFolder reports whether a text names a file by a relative path, or one in the
// bot's folder.
func (c confinement) inFolder(text string) bool {
	paths := pathsIn(text)
	return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool { return within(path, c.dir) })
}
