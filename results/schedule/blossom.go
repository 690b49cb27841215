package schedule

import "slices"

// label is the place of a part in an alternating tree.
type label byte

const (
	unlabelled label = iota
	outer            // an even number of edges from the root
	inner            // an odd number
)

// part is a node of the graph or a blossom, which is an odd cycle of parts that
// tight edges join.
type part struct {
	kids   []int    // parts around the cycle, the one with the base first
	links  [][2]int // links[i] joins kids[i] and kids[i+1], with its ends in that order
	nodes  []int    // the nodes inside
	near   []int    // by node outside: the node inside with the least slack to it, -1: none
	base   int      // the node that is not matched inside the part
	parent int      // the blossom around it, -1: none
	excess int64    // a blossom's dual, 0 or more

	label label
	entry [2]int // the edge by which the tree reached it: the end outside, the end inside
	best  [2]int // the edge of least slack from an outer part to it; -1: none
}

// tree is an alternating tree in a matching, with the blossoms that it has
// shrunk. The nodes are the first parts, and the blossoms follow.
type tree struct {
	*matching
	parts  []part
	unused []int // parts of expanded blossoms, for new ones
	top    []int // by node: its outermost part
	queue  []int // nodes of outer parts whose edges have not been scanned
}

func newTree(m *matching) *tree {
	t := &tree{matching: m, parts: make([]part, len(m.mate)), top: make([]int, len(m.mate))}
	nodes := make([]int, len(m.mate))
	for u := range t.parts {
		nodes[u], t.top[u] = u, u
		t.parts[u] = part{nodes: nodes[u : u+1], base: u, parent: -1}
	}
	return t
}

// augmentFrom grows a tree from a free node until it reaches another one, and
// matches along the path between them; false means that there is no such path.
func (t *tree) augmentFrom(root int) bool {
	for x := range t.parts {
		t.parts[x].label, t.parts[x].best = unlabelled, [2]int{-1, -1}
	}
	t.queue = t.queue[:0]
	t.makeOuter(t.top[root], [2]int{-1, -1})
	for {
		if t.scan() {
			return true
		}
		delta, x := t.nearest()
		if delta == infinite {
			return false
		}
		t.shift(delta)
		if p := &t.parts[x]; p.label == inner {
			t.expand(x)
		} else if t.reach(p.best[0], p.best[1]) {
			return true
		}
	}
}

// scan scans the edges of the nodes in the queue; true means that the matching
// has been augmented.
func (t *tree) scan() bool {
	for len(t.queue) > 0 {
		u := t.queue[len(t.queue)-1]
		t.queue = t.queue[:len(t.queue)-1]
		for v := range t.mate {
			if t.top[v] == t.top[u] || t.parts[t.top[v]].label == inner {
				continue
			}
			switch slack := t.slack(u, v); slack {
			case infinite:
			case 0:
				if t.reach(u, v) {
					return true
				}
			default:
				t.offer(t.top[v], u, v, slack)
			}
		}
	}
	return false
}

// offer makes an edge the best one to a part, if it has less slack.
func (t *tree) offer(x, u, v int, slack int64) {
	if best := t.parts[x].best; best[0] < 0 || slack < t.slack(best[0], best[1]) {
		t.parts[x].best = [2]int{u, v}
	}
}

// reach uses a tight edge from a node of an outer part to another part; true means
// that the other part was free and the matching has been augmented.
func (t *tree) reach(u, v int) bool {
	x := t.top[v]
	p := &t.parts[x]
	if p.label == outer {
		t.shrink(u, v)
		return false
	}
	next := t.mate[p.base]
	if next < 0 {
		t.augment(u, v)
		return true
	}
	p.label, p.entry = inner, [2]int{u, v}
	t.makeOuter(t.top[next], [2]int{p.base, next})
	return false
}

// makeOuter labels an outermost part as outer, and queues its nodes.
func (t *tree) makeOuter(x int, entry [2]int) {
	p := &t.parts[x]
	p.label, p.entry = outer, entry
	t.queue = append(t.queue, p.nodes...)
}

// nearest returns how far the duals can move, and the part that limits them.
func (t *tree) nearest() (delta int64, x int) {
	delta = infinite
	for y := range t.parts {
		p := &t.parts[y]
		if len(p.nodes) == 0 || p.parent >= 0 {
			continue
		}
		d := int64(infinite)
		switch {
		case p.label == inner && y >= len(t.mate):
			d = p.excess / 2
		case p.label == unlabelled && p.best[0] >= 0:
			d = t.slack(p.best[0], p.best[1])
		case p.label == outer && p.best[0] >= 0:
			d = t.slack(p.best[0], p.best[1]) / 2
		}
		if d < delta {
			delta, x = d, y
		}
	}
	return delta, x
}

// shift moves the duals by delta. Edges in the tree stay tight, and edges that
// leave outer parts lose slack.
func (t *tree) shift(delta int64) {
	for x := range t.parts {
		p := &t.parts[x]
		if len(p.nodes) == 0 || p.parent >= 0 || p.label == unlabelled {
			continue
		}
		d := delta
		if p.label == inner {
			d = -delta
		}
		for _, u := range p.nodes {
			t.dual[u] -= d
		}
		if x >= len(t.mate) {
			p.excess += 2 * d
		}
	}
}

// above returns the outermost parts from that of a node up to the root.
func (t *tree) above(u int) (path []int) {
	for ; u >= 0; u = t.parts[path[len(path)-1]].entry[0] {
		path = append(path, t.top[u])
	}
	return path
}

// shrink makes a blossom of the cycle that an edge between two outer parts
// closes.
func (t *tree) shrink(u, v int) {
	left, right := t.above(u), t.above(v)
	for len(left) > 1 && len(right) > 1 && left[len(left)-2] == right[len(right)-2] {
		left, right = left[:len(left)-1], right[:len(right)-1]
	}
	right = right[:len(right)-1] // both end with the same part
	var p part
	for i := len(left) - 1; i >= 0; i-- {
		p.kids = append(p.kids, left[i])
		if i > 0 {
			p.links = append(p.links, t.parts[left[i-1]].entry)
		}
	}
	p.links = append(p.links, [2]int{u, v})
	for _, x := range right {
		p.kids = append(p.kids, x)
		p.links = append(p.links, [2]int{t.parts[x].entry[1], t.parts[x].entry[0]})
	}
	first := &t.parts[p.kids[0]]
	p.base, p.parent, p.label, p.entry = first.base, -1, outer, first.entry
	b := t.add(p)
	for _, x := range t.parts[b].kids {
		kid := &t.parts[x]
		kid.parent = b
		if kid.label == inner {
			t.queue = append(t.queue, kid.nodes...)
		}
		t.parts[b].nodes = append(t.parts[b].nodes, kid.nodes...)
	}
	for _, w := range t.parts[b].nodes {
		t.top[w] = b
	}
	t.setNear(b)
	t.setBest(b)
}

// add adds a blossom and returns its number.
func (t *tree) add(p part) int {
	if n := len(t.unused); n > 0 {
		b := t.unused[n-1]
		t.unused = t.unused[:n-1]
		t.parts[b] = p
		return b
	}
	t.parts = append(t.parts, p)
	return len(t.parts) - 1
}

// closest returns the node of a part with the least slack to a node outside.
func (t *tree) closest(x, u int) int {
	if x >= len(t.mate) {
		return t.parts[x].near[u]
	}
	if t.weight[x][u] == noEdge {
		return -1
	}
	return x
}

// setNear finds the near nodes of a blossom from those of its kids. They do not
// change while the blossom exists, because the duals inside it move together.
func (t *tree) setNear(b int) {
	near := make([]int, len(t.mate))
	for u := range near {
		near[u] = -1
		if t.top[u] == b {
			continue
		}
		least := int64(infinite)
		for _, x := range t.parts[b].kids {
			if v := t.closest(x, u); v >= 0 && t.slack(u, v) < least {
				near[u], least = v, t.slack(u, v)
			}
		}
	}
	t.parts[b].near = near
}

// setBest finds again the best edge to an outermost part.
func (t *tree) setBest(x int) {
	t.parts[x].best = [2]int{-1, -1}
	for u := range t.mate {
		if t.top[u] == x || t.parts[t.top[u]].label != outer {
			continue
		}
		if v := t.closest(x, u); v >= 0 {
			t.offer(x, u, v, t.slack(u, v))
		}
	}
}

// kidOf returns the index of the kid of a blossom that contains a node.
func (t *tree) kidOf(b, u int) int {
	for t.parts[u].parent != b {
		u = t.parts[u].parent
	}
	return slices.Index(t.parts[b].kids, u)
}

// expand splits an inner blossom without excess into its kids. The kids between
// the edge that leads to the blossom and the base stay in the tree; the others
// leave it.
func (t *tree) expand(b int) {
	p := t.parts[b]
	for _, x := range p.kids {
		t.parts[x].parent = -1
		t.parts[x].label = unlabelled
		for _, u := range t.parts[x].nodes {
			t.top[u] = x
		}
	}
	t.parts[b] = part{parent: -1}
	t.unused = append(t.unused, b)
	// In the cycle, kids 1 and 2 are matched, 3 and 4 are matched, and so on. So the
	// path to the base that begins with a matched edge goes down from an even place,
	// and up from an odd one.
	k := len(p.kids)
	at, entry := 0, p.entry
	for i, x := range p.kids {
		if slices.Contains(t.parts[x].nodes, entry[1]) {
			at = i
		}
	}
	down := at%2 == 0
	for isInner := true; ; isInner = !isInner {
		x := p.kids[at]
		if isInner {
			t.parts[x].label, t.parts[x].entry = inner, entry
		} else {
			t.makeOuter(x, entry)
		}
		switch {
		case at == 0 && isInner:
			for _, x := range p.kids {
				t.setBest(x)
			}
			return
		case down:
			at--
			entry = [2]int{p.links[at][1], p.links[at][0]}
		default:
			entry = p.links[at]
			at = (at + 1) % k
		}
	}
}

// rebase changes the matching inside a part so that u is the node left over.
func (t *tree) rebase(x, u int) {
	if x < len(t.mate) {
		return
	}
	at := t.kidOf(x, u)
	p := &t.parts[x]
	t.rebase(p.kids[at], u)
	k := len(p.kids)
	from, to := 0, at // the kids that change partners: those before an even place
	if at%2 == 1 {
		from, to = at+1, k+1 // or those after an odd place, and the first
	}
	for i := from; i+1 < to; i += 2 {
		a, b := p.links[i][0], p.links[i][1]
		t.rebase(p.kids[i], a)
		t.rebase(p.kids[(i+1)%k], b)
		t.mate[a], t.mate[b] = b, a
	}
	p.kids = slices.Concat(p.kids[at:], p.kids[:at])
	p.links = slices.Concat(p.links[at:], p.links[:at])
	p.base = u
}

// augment matches along the path from the root over an edge to a free part.
func (t *tree) augment(u, v int) {
	t.rebase(t.top[v], v)
	for {
		x := t.top[u]
		up := t.parts[x].entry
		t.rebase(x, u)
		t.mate[u], t.mate[v] = v, u
		if up[0] < 0 {
			return
		}
		y := t.top[up[0]]
		u, v = t.parts[y].entry[0], t.parts[y].entry[1]
		t.rebase(y, v)
	}
}

// dissolve moves the excess of the blossoms to the duals of their nodes. The duals
// stay valid for every edge, but edges that leave a blossom get slack.
func (t *tree) dissolve() {
	for _, p := range t.parts[len(t.mate):] {
		for _, u := range p.nodes {
			t.dual[u] += p.excess / 2
		}
	}
}
