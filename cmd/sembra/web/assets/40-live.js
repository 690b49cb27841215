// Live updates: the page of a tournament follows what happens in it by server-sent events.
(() => {
  // morph makes an element like another one, and keeps what the reader did: open details, sorted tables, the focus.
  const keptAttributes = new Set(['open', 'aria-sort']);
  const keyOf = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    if (node.id) return node.id;
    if (node.tagName === 'TH' && node.closest('thead')) return node.textContent.trim(); // columns come and go
    const link = node.tagName === 'TR' && node.querySelector('td a, th a');
    return link && node.closest('tbody') ? link.getAttribute('href') : null;
  };
  const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName;
  const morphChildren = (old, next) => {
    const keyed = new Map();
    for (const child of old.childNodes) {
      const key = keyOf(child);
      if (key !== null && !keyed.has(key)) keyed.set(key, child);
    }
    let at = old.firstChild;
    for (const wanted of [...next.childNodes]) {
      const key = keyOf(wanted);
      let match = null;
      if (key !== null) match = keyed.get(key) || null;
      else if (at && keyOf(at) === null && alike(at, wanted)) match = at;
      if (match) keyed.delete(key);
      if (!match || !alike(match, wanted)) {
        old.insertBefore(document.importNode(wanted, true), at);
        continue;
      }
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      morph(match, wanted);
    }
    while (at) {
      const after = at.nextSibling;
      at.remove();
      at = after;
    }
  };
  const morph = (old, next) => {
    if (old.isEqualNode(next)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.nodeValue = next.nodeValue;
      return;
    }
    if (old.dataset.live !== undefined) return; // what is being played has events of its own
    for (const { name } of [...old.attributes]) {
      if (!next.hasAttribute(name) && !keptAttributes.has(name)) old.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (old.getAttribute(name) !== value && !keptAttributes.has(name)) old.setAttribute(name, value);
    }
    const button = old.tagName === 'TH' && old.querySelector(':scope > button.sort');
    morphChildren(button || old, next);
  };

  // refresh puts a new main part into the page.
  const refresh = (html) => {
    const main = document.getElementById('main');
    const focused = document.activeElement;
    const parsed = new DOMParser().parseFromString(`<main>${html}</main>`, 'text/html');
    morphChildren(main, parsed.querySelector('main'));
    main.querySelectorAll('table.sortable').forEach(Sembra.sortAgain);
    if (focused !== document.activeElement && main.contains(focused)) focused.focus({ preventScroll: true });
    Sembra.refresh(main);
  };

  // clock writes a time in milliseconds.
  const clock = (ms) => {
    const left = Math.max(0, ms);
    if (left < 10000) return `${(Math.floor(left / 100) / 10).toFixed(1)} s`;
    const seconds = Math.floor(left / 1000);
    const two = (n) => String(n).padStart(2, '0');
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  // Table is one place for a match in play. When the match is over, the next one takes the place.
  class Table {
    constructor() {
      this.head = Sembra.element('p', { class: 'live-head' });
      this.board = Sembra.element('div');
      this.told = Sembra.element('p', { class: 'live-told' });
      this.element = Sembra.element('li', { class: 'card' }, this.head, this.board, this.told);
    }

    // set shows a match, which has a page at an address.
    set(match, layout, address) {
      const names = match.bots.join('\n');
      if (this.names !== names) {
        this.names = names;
        const seats = layout.seats.map((seat, i) => ({ ...seat, bot: match.bots[i] }));
        const element = Sembra.element('div');
        this.board.replaceWith(element);
        this.board = element;
        this.drawn = Sembra.board(element, { ...layout, seats }, { small: true, label: `${match.bots[0]} against ${match.bots[1]}` });
      }
      const plies = this.match && this.match.number === match.number ? this.match.plies : -1;
      const now = performance.now();
      const calm = now - this.at > 600; // seeds that move need time
      this.match = match;
      this.heard = now;
      if (match.plies !== plies) this.at = now;
      if (plies < 0) this.head.replaceChildren(Sembra.element('a', { href: address }, `Match ${match.number}`), '');
      this.head.lastChild.data = `, pair ${match.pair}, ply ${match.plies}`;
      this.told.textContent = match.frame.text || 'The match begins.';
      if (match.plies > plies && plies >= 0 && calm) this.drawn.play(match.before, match.frame, 3);
      else if (match.plies !== plies) this.drawn.show(match.frame);
      this.tick();
    }

    // tick shows the clocks.
    tick() {
      const { left, frame, idle } = this.match;
      if (!left) return;
      const mover = 'SN'.indexOf(frame.position.split(' ')[2]);
      left.forEach((ms, seat) => {
        const spent = seat === mover ? idle + performance.now() - this.heard : 0;
        this.drawn.note(seat, `${clock(ms - spent)} left`);
      });
    }
  }

  // follow shows what happens, by the events of an address.
  const follow = (section) => {
    const note = Sembra.element('p', { class: 'live-note', role: 'status' });
    const list = Sembra.element('ul', { class: 'live-boards' });
    const left = Sembra.element('p', { class: 'live-note' });
    section.append(left, note, list);
    let source = null, layout = null, tables = [], timer = 0;
    const bar = () => document.querySelector('#progress progress') ?? { value: 0, max: 0 };
    const opened = { at: performance.now(), played: bar().value };

    // rest says how long the run will take at the pace since the page was opened.
    const rest = () => {
      const { value, max } = bar();
      const seconds = (max - value) * (performance.now() - opened.at) / (value - opened.played) / 1000;
      if (!(value - opened.played >= 5 && value < max)) return ''; // too early to tell
      return `About ${seconds < 100 ? plural(Math.ceil(seconds), 'second') : seconds < 6000 ? plural(Math.round(seconds / 60), 'minute') : plural(Math.round(seconds / 3600), 'hour')} left.`;
    };
    const plural = (n, unit, many = `${unit}s`) => `${n} ${n === 1 ? unit : many}`;

    const say = (text) => {
      if (note.textContent !== text) note.textContent = text;
      note.hidden = text === '';
    };
    const show = ({ running, count, matches }) => {
      section.hidden = !running;
      const free = tables.filter((table) => !matches.some(({ number }) => table.match.number === number));
      const shown = matches.map((match) => {
        const table = tables.find((known) => known.match.number === match.number) || free.shift() || new Table();
        return [table, match];
      });
      const chosen = shown.map(([table]) => table);
      tables = tables.filter((table) => chosen.includes(table) || table.element.remove());
      for (const [table, match] of shown) {
        table.set(match, layout, section.dataset.live.replace(/live$/, `match/${match.number}`));
        if (!tables.includes(table)) {
          tables.push(table);
          list.append(table.element);
        }
      }
      const more = count - matches.length;
      left.textContent = running ? rest() : '';
      if (count === 0) say('No match is in play at this moment.');
      else say(more > 0 ? `${plural(more, 'more match', 'more matches')} in play, without a board until ${more === 1 ? 'it is' : 'they are'} over.` : '');
    };
    // finish says that there will be no more news.
    const finish = () => {
      document.removeEventListener('visibilitychange', visible);
      removeEventListener('pageshow', visible);
      close();
      section.replaceChildren(note);
      section.hidden = false;
      say('The run has ended.');
    };
    const listen = (kind, f) => source.addEventListener(kind, (event) => f(JSON.parse(event.data)));
    const open = () => {
      source = new EventSource(section.dataset.live);
      listen('layout', (data) => { layout = data; });
      listen('page', refresh);
      listen('now', show);
      listen('end', finish);
      source.onerror = () => {
        section.hidden = false;
        list.replaceChildren();
        tables = [];
        say(source.readyState === EventSource.CLOSED
          ? 'This page does not update itself now. Reload it to see new results.'
          : 'Sembra does not answer: it may have ended. This page continues as soon as it answers.');
      };
      timer = setInterval(() => tables.forEach((table) => table.tick()), 100);
    };
    const close = () => {
      clearInterval(timer);
      if (source) source.close();
      source = null;
    };
    // A page in the background costs nothing. A browser allows only a few connections to one server.
    const visible = () => {
      if (document.hidden) close();
      else if (!source) open();
    };
    document.addEventListener('visibilitychange', visible);
    addEventListener('pagehide', close);
    addEventListener('pageshow', visible);
    visible();
  };
  Sembra.begin('[data-live]', follow);

  // The list of tournaments and the lists of matches look for news themselves.
  Sembra.begin('[data-follow]', () => {
    let seen = null;
    setInterval(async () => {
      const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
      const text = answer?.ok ? await answer.text() : seen;
      if (text === seen) return;
      seen = text;
      refresh(new DOMParser().parseFromString(text, 'text/html').getElementById('main').innerHTML);
    }, 2000);
  });
})();
