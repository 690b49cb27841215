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
	dir    string   // the bot's folder
	args   []string // its command
}

// inFile says where the keys of a hint stand, also to a person who has no such file.
const inFile = " in [isolation] of a tournament file"

// mentions reports whether a line contains one of these texts. They are in lower case.
func mentions(line string, texts ...string) bool {
	lower := strings.ToLower(line)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(lower, text) })
}

// javaHint says how to change the size of Java's heap, if a line says that the heap
// is full. It returns "" for other lines.
func javaHint(line string) string {
	if !mentions(line, "java heap space", "gc overhead limit exceeded") {
		return ""
	}
	return " (hint: Java itself limits its heap; -Xmx changes that, as in java -Xmx512m)"
}

// hint says whether isolation may have caused what a bot wrote before it ended, and
// which key of [isolation] in a tournament file would allow it. It returns "" if
// the text does not look like that.
func (c confinement) hint(line string) string {
	has := func(texts ...string) bool { return mentions(line, texts...) }
	refused := has("permission denied", "eacces", "access is denied", "accessdenied")
	absent := has("no such file", "not found", "enoent", "cannot open", "can't open")
	switch unseen := c.unseen(line); {
	case c.layers.Files && unseen != "" && (refused || absent):
		return BecauseOf + "the bot cannot see " + unseen +
			" (read = [" + strconv.Quote(unseen) + "]" + inFile + " shows it)"
	case c.layers.Files && has("read-only file system", "erofs"), c.layers.Files && refused && c.inFolder(line):
		return BecauseOf + "a bot may write only to its temporary folder, which the variable TMPDIR names"
	case c.layers.Disk && has("no space left", "enospc", "file too large", "file size limit", "efbig"):
		return BecauseOf + "the temporary folder of a bot holds " + Size(c.limits.TempSize()).String() +
			" (temp" + inFile + " changes that)"
	case c.layers.Network && has("connection refused", "econnrefused", "network is unreachable", "enetunreach",
		"no route to host", "name or service not known", "name resolution", "getaddrinfo", "could not resolve host",
		"no such host", "eai_again"):
		return BecauseOf + "a bot has no network (network = true" + inFile + " allows it)"
	case javaHint(line) != "": // more memory does not help
		return ""
	case c.layers.Memory && has("cannot allocate memory", "memoryerror", "out of memory", "outofmemory",
		"bad_alloc", "enomem", "memory allocation of", "not enough space", "insufficient memory", "could not reserve enough space"):
		return BecauseOf + c.memory(line)
	case c.layers.Processes && has("resource temporarily unavailable", "eagain", "can't start new thread",
		"unable to create native thread"):
		return BecauseOf + "a bot may have " + strconv.Itoa(c.limits.Processes) +
			" processes and threads (processes" + inFile + " changes that)"
	}
	return ""
}

// memory says how much memory a bot may use, and what changes that. The line tells
// whether the bot is in Java, whose heap grows to a quarter of the machine's memory
// unless -Xmx says less.
func (c confinement) memory(line string) string {
	text := "a process of a bot may use " + Size(c.limits.Memory).String() + " of memory (memory" + inFile + " changes that"
	if mentions(line, "java", "jdk", "os::commit_memory", "object heap") {
		text += "; java -Xmx256m needs less"
	}
	return text + ")"
}

// scriptHint says why env does not find the interpreter of a script that was saved with
// the line ends of Windows. It returns "" for other lines.
func scriptHint(line string) string {
	if !strings.Contains(line, "env: ") || !strings.Contains(line, `\r`) {
		return ""
	}
	return `; the first line of the script ends with CR LF (hint: save it with LF line ends, or use sed -i 's/\r$//')`
}

// stagedHint says that only some files of the bot's folder are there, because no others travel to workers. It returns ""
// if all are, or if a line does not tell of a missing file.
func stagedHint(only []string, line string) string {
	if len(only) == 0 || !mentions(line, "no such file", "not found", "no module named", "cannot find", "could not find", "enoent") {
		return ""
	}
	const most = 3
	names := strings.Join(only[:min(len(only), most)], ", ")
	if len(only) > most {
		names += ", …"
	}
	return "; with --workers it has only " + names + ", because its command names no other file of the folder " +
		"(hint: put all its files into a folder of their own, and give the bot that folder as its dir)"
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

// unseenArgument names the first folder or file of the bot's command that exists, but
// not for the bot. It also looks into lists like the class path of Java: a:b, x=a. It
// returns "" if the bot sees all of them.
func (c confinement) unseenArgument() string {
	if !c.layers.Files {
		return ""
	}
	for _, arg := range c.args[1:] {
		for _, part := range strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(":=,", r) }) {
			path := part
			if !filepath.IsAbs(path) {
				path = filepath.Join(c.dir, path)
			}
			if c.cell.Conceals(path) {
				return BecauseOf + "the bot cannot see " + shown(part) + ", which its command names outside its folder " +
					c.dir + " (read = [" + strconv.Quote(path) + "]" + inFile + " shows it)"
			}
		}
	}
	return ""
}

// inFolder reports whether a text names a file by a relative path, or one in the
// bot's folder.
func (c confinement) inFolder(text string) bool {
	paths := pathsIn(text)
	return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool { return within(path, c.dir) })
}
