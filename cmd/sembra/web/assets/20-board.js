// The board. It draws positions and moves seeds. It knows no rules: a layout says how the board looks, and the steps
// of a frame say which seeds go where (see boardFrame in frames.go).
(() => {
  const svg = (name, attributes = {}, ...children) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const seatLetters = 'SN';
  const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const stillWanted = () => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

  // readPosition reads a position text of the engine.
  Sembra.readPosition = (layout, text) => {
    const [rows, stores, side, phase, round, , ...pairs] = text.split(' ');
    const { start, take, missed, donkeys } = Object.fromEntries(pairs.map((pair) => pair.split('=')));
    const position = {
      phase, round: Number(round), holes: {}, stores: stores.split('-').map(Number), side: seatLetters.indexOf(side),
      donkeys: donkeys ? donkeys.split('-').map(Number) : [0, 0],
    };
    rows.split('/').forEach((row, seat) => row.split(',').forEach((hole, i) => {
      position.holes[layout.seats[seat].holes[i]] = {
        seat, seeds: hole === 'x' ? 0 : Number.parseInt(hole, 10), closed: hole === 'x', mark: hole.endsWith('*'),
      };
    }));
    const sign = (names, name) => (names || '').split(',').forEach((hole) => {
      if (position.holes[hole]) position.holes[hole][name] = true;
    });
    sign(start, 'start');
    sign((take || '').split(':')[0], 'take');
    sign(missed, 'missed');
    return position;
  };

  // readSteps reads the steps of a frame as a list of {sign, seeds, hole}. Of a lifted or taken hole all seeds go. The
  // stores, into which seeds may fall, are the holes S and N, and 0 and 1 on the board.
  const readSteps = (text) => (text || '').split(' ').filter(Boolean).flatMap((word) => {
    const [, sign, seeds, holes] = /^([-+><=~])(\d*)([A-Za-z]+)$/.exec(word);
    return [...holes].map((hole) => ({
      sign, hole: seatLetters.includes(hole) ? String(seatLetters.indexOf(hole)) : hole, seeds: seeds === '' ? 1 : Number(seeds),
    }));
  });

  // The places of the seeds in a bowl with radius 1: a sunflower, so that a seed keeps its place while others come
  // and go. Layers lie on each other; each holds fewer seeds than the one below.
  const golden = Math.PI * (3 - Math.sqrt(5));
  const places = (turn, layers) => layers.flatMap(([count, radius], layer) => Array.from({ length: count }, (_, i) => {
    const angle = (i + layer * 3) * golden + turn;
    const distance = radius * Math.sqrt((i + 0.5) / count);
    return [Math.cos(angle) * distance, Math.sin(angle) * distance - layer * 0.09];
  }));
  const holeLayers = [[15, 0.8], [11, 0.6], [8, 0.44], [6, 0.3], [8, 0.2]];
  const storeLayers = [[34, 0.86], [14, 0.5], [48, 0.4]];

  // text makes a text whose middle is at a point.
  const text = (x, y, kind, content) => svg('text', {
    x, y, class: kind, 'text-anchor': 'middle', 'dominant-baseline': 'central',
  }, content);

  // The signs of a hole at a point, for a hole of the owner's seat.
  const radius = 44; // of a hole
  const ring = (x, y, r, kind) => svg('circle', { cx: x, cy: y, r, class: kind });
  const signShapes = {
    closed: (x, y) => [
      ring(x, y, radius - 1, 'lid'),
      svg('path', { class: 'lid-cross', d: `M${x - 18} ${y - 18}l36 36m0 -36l-36 36` }),
    ],
    mark: (x, y) => [ring(x, y, radius - 4, 'mark')],
    start: (x, y, seat) => [ring(x, y, radius + 3, `start ${seat === 0 ? 'south' : 'north'}`)],
    take: (x, y) => [ring(x, y, radius - 6, 'take')],
    missed: (x, y) => [ring(x + 19, y - 19, 13, 'missed'), text(x + 19, y - 18, 'missed-sign', '!')], // within the ring of a choice
  };

  // paint puts the gradients that all boards share into the page.
  const paint = () => {
    if (document.getElementById('board-paint')) return;
    const gradient = (name, type, attributes, middle) => svg(type, { id: `board-${name}`, ...attributes },
      ...[['0', 'light'], [middle, 'middle'], ['1', 'dark']].map(([offset, tone]) => svg('stop', { offset, class: `${name}-${tone}` })));
    document.body.append(svg('svg', { id: 'board-paint', width: 0, height: 0, 'aria-hidden': 'true', class: 'board-paint' },
      svg('defs', {},
        gradient('seed', 'radialGradient', { cx: '36%', cy: '30%', r: '75%' }, '.45'),
        gradient('bowl', 'radialGradient', { cx: '50%', cy: '62%', r: '60%' }, '.7'),
        gradient('wood', 'linearGradient', { x1: 0, y1: 0, x2: 0, y2: 1 }, '.5'))));
  };

  // geometry says where holes, stores and labels stand, in units of the picture. On a narrow page the stores lie above
  // and below the rows, because the holes then have more room. The row of the low seat is the lower one.
  const geometry = (layout, narrow, low) => {
    const count = layout.seats[0].holes.length;
    const big = narrow && count > 4; // the letters stay readable when the board is drawn small
    const tight = narrow && count > 8; // there is no room for the letters beside the numbers
    const pitch = 100, rim = 18, label = tight ? 92 : big ? 44 : 34;
    const side = narrow ? 0 : 126;
    const shelf = narrow ? 82 : 0;
    const width = 2 * (rim + side) + count * pitch;
    const height = 2 * (rim + label + shelf + pitch);
    const g = { width, height, holes: {}, stores: [], labels: {}, pills: [], pill: tight ? 48 : big ? 40 : 30, narrow, tight };
    layout.seats.forEach(({ holes }, seat) => holes.forEach((name, i) => {
      const column = seat === low ? i : count - 1 - i;
      const x = rim + side + pitch * (column + 0.5);
      g.holes[name] = { x, y: height / 2 + (seat === low ? 0.5 : -0.5) * (pitch - 2) };
      g.labels[name] = { x, y: height / 2 + (seat === low ? 1 : -1) * (pitch + label / 2) };
    }));
    for (const seat of [0, 1]) {
      const down = seat === low ? 1 : -1;
      g.stores[seat] = narrow
        ? { x: width / 2, y: height / 2 + down * (pitch + label + shelf / 2 - 2), rx: width / 2 - rim - 16, ry: 34 }
        : { x: seat === low ? width - rim - side / 2 + 2 : rim + side / 2 - 2, y: height / 2, rx: 50, ry: pitch - 2 };
      const { x, y, rx, ry } = g.stores[seat];
      g.pills[seat] = narrow ? { x: x + down * (rx - (tight ? 58 : big ? 40 : 28)), y } : { x, y: y + down * (ry + 18) };
    }
    return g;
  };

  class Board {
    constructor(element, layout, options = {}) {
      paint();
      this.element = element;
      this.layout = layout;
      this.options = options;
      this.choices = null;
      this.run = 0; // the number of the animation that may still draw
      element.classList.add('board');
      element.classList.toggle('small', Boolean(options.small));
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', options.label || `Board of ${layout.ruleset}`);
      this.picture = Sembra.element('div', { class: 'board-picture' });
      this.spots = Sembra.element('div', { class: 'board-spots' });
      this.turn = Sembra.element('p', { class: 'board-turn' });
      this.legend = Sembra.element('ul', { class: 'board-legend' });
      this.seats = layout.seats.map((seat, i) => {
        const note = Sembra.element('span', { class: 'board-note' });
        const name = seat.bot
          ? [Sembra.element('b', {}, seat.bot), Sembra.element('span', { class: 'soft' }, seat.name)]
          : [Sembra.element('b', {}, seat.name)];
        const donkeys = Sembra.element('span', { class: 'board-donkeys', hidden: true });
        return { note, donkeys, line: Sembra.element('p', { class: `board-seat ${i === 0 ? 'south' : 'north'}` }, ...name, donkeys, note) };
      });
      this.stage = Sembra.element('div', { class: 'board-stage' }, this.picture, this.spots);
      this.turnTo(0);
      new ResizeObserver(() => this.resize()).observe(this.stage);
    }

    // turnTo draws the board as the player of a seat sees it, with that row below.
    turnTo(low) {
      this.low = low;
      this.element.replaceChildren(this.seats[1 - low].line, this.stage, this.seats[low].line);
      if (!this.options.small) this.element.append(this.turn, this.legend);
      this.drawAgain();
    }

    drawAgain() {
      this.run++;
      this.draw();
      if (this.frame) this.show(this.frame);
    }

    // resize draws the board again if the page became narrow or wide.
    resize() {
      if (this.narrow() !== this.place.narrow) this.drawAgain();
    }

    narrow() {
      const width = this.element.clientWidth, count = this.layout.seats[0].holes.length;
      return width > 0 && count > 3 && width < Math.max(520, 144 + 50 * count);
    }

    // draw makes the parts of the picture that stay.
    draw() {
      const g = geometry(this.layout, this.narrow(), this.low);
      this.place = g;
      this.element.style.maxWidth = `${Math.round(Math.min(992, g.width * 1.45))}px`; // a board with few holes is larger
      this.counts = {};
      this.bowls = {};
      this.moved = svg('g', {});
      this.hand = svg('g', { class: 'hand' });
      this.drop = svg('g', {});
      const holes = svg('g', {});
      const scale = g.pill / 30;
      const pill = ({ x, y }, width, height, kind, ...texts) => svg('g', { class: kind, transform: `translate(${x} ${y}) scale(${scale})` },
        svg('rect', { x: -width / 2, y: -height / 2, width, height, rx: 15, class: 'pill' }), ...texts);
      this.spots.replaceChildren();
      this.spotOf = {};
      for (const { holes: names } of this.layout.seats) {
        names.forEach((name, i) => {
          const { x, y } = g.holes[name];
          const label = g.labels[name];
          const seeds = svg('g', {}), signs = svg('g', {});
          const count = text(g.tight ? 0 : 13, g.tight ? -11 : 1, 'count', '');
          const letter = text(g.tight ? 0 : -15, g.tight ? 14 : 1, 'name', name);
          holes.append(svg('g', {},
            ring(x, y + 2, radius + 2, 'edge'), ring(x, y, radius, 'bowl'), seeds, signs,
            g.tight ? pill(label, 58, 54, 'label', letter, count) : pill(label, 66, 30, 'label', letter, count)));
          const turn = i * 1.7 + (name > 'Z' ? 0.9 : 0); // so that holes look different
          this.bowls[name] = { seeds, signs, count, x, y, rx: radius, ry: radius, places: places(turn, holeLayers) };
          this.addSpot(name, x, y, radius, radius);
        });
      }
      this.layout.seats.forEach((_, seat) => {
        const { x, y, rx, ry } = g.stores[seat];
        const at = g.pills[seat];
        const seeds = svg('g', {}), count = text(0, 1, 'count', '');
        const round = Math.min(rx, ry);
        const label = pill(at, 56, 30, `label store-label ${seat === 0 ? 'south' : 'north'}`, count);
        holes.append(svg('g', {},
          svg('rect', { x: x - rx - 2, y: y - ry, width: 2 * rx + 4, height: 2 * ry + 4, rx: round + 2, class: 'edge' }),
          svg('rect', { x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry, rx: round, class: 'bowl' }), seeds, label));
        const shrink = g.narrow ? 60 : 0; // the number lies in the store
        const centre = g.narrow ? x + (seat === this.low ? -28 : 28) : x;
        this.bowls[seat] = { seeds, count, x: centre, y, rx: rx - shrink / 2, ry, places: places(seat, storeLayers) };
        this.addSpot(String(seat), x, y, rx, ry);
      });
      const grain = [0.16, 0.34, 0.62, 0.83].map((part, i) => {
        const y = Math.round(g.height * part), wave = i % 2 ? 14 : -12;
        return svg('path', { class: 'grain', d: `M6 ${y}C${g.width * 0.3} ${y + wave} ${g.width * 0.6} ${y - wave} ${g.width - 6} ${y + 3}` });
      });
      this.picture.replaceChildren(svg('svg', { viewBox: `0 0 ${g.width} ${g.height}`, 'aria-hidden': 'true', focusable: 'false' },
        svg('rect', { x: 1, y: 1, width: g.width - 2, height: g.height - 2, rx: 40, class: 'wood' }), ...grain,
        svg('rect', { x: 7, y: 7, width: g.width - 14, height: g.height - 14, rx: 34, class: 'rim' }),
        holes, this.moved, this.drop, this.hand));
      if (this.choices) this.choose(this.choices.holes, this.choices.callback);
    }

    // addSpot adds what a screen reader and a pointer find in the place of a hole or of a store.
    addSpot(name, x, y, rx, ry) {
      const spot = Sembra.element('span', { class: 'spot', role: 'img', 'data-hole': name });
      this.put(spot, x, y, rx, ry);
      this.spotOf[name] = spot;
      this.spots.append(spot);
    }

    put(spot, x, y, rx, ry) {
      const { width, height } = this.place;
      spot.style.left = `${100 * (x - rx) / width}%`;
      spot.style.top = `${100 * (y - ry) / height}%`;
      spot.style.width = `${200 * rx / width}%`;
      spot.style.height = `${200 * ry / height}%`;
    }

    // fill draws so many seeds in a hole or a store (0 South's, 1 North's).
    fill(name, seeds) {
      const bowl = this.bowls[name];
      if (this.counts[name] === seeds) return;
      this.counts[name] = seeds;
      bowl.count.textContent = seeds;
      bowl.count.classList.toggle('long', seeds > 99 && Boolean(bowl.signs) && !this.place.tight);
      const shown = Math.min(seeds, bowl.places.length);
      while (bowl.seeds.childElementCount > shown) bowl.seeds.lastChild.remove();
      while (bowl.seeds.childElementCount < shown) {
        const i = bowl.seeds.childElementCount;
        const [x, y] = bowl.places[i];
        bowl.seeds.append(this.seed(bowl.x + x * bowl.rx, bowl.y + y * bowl.ry, i));
      }
    }

    seed(x, y, i) {
      return svg('ellipse', {
        cx: x.toFixed(1), cy: y.toFixed(1), rx: 9.6, ry: 8.4, class: 'seed',
        transform: `rotate(${(i * 67) % 180} ${x.toFixed(1)} ${y.toFixed(1)})`,
      });
    }

    // show draws a frame, or the position of a text, without animation.
    show(frame) {
      this.run++;
      this.frame = typeof frame === 'string' ? { position: frame } : frame;
      const position = Sembra.readPosition(this.layout, this.frame.position);
      this.position = position;
      this.hand.replaceChildren();
      this.preview(null);
      for (const [name, hole] of Object.entries(position.holes)) {
        this.fill(name, hole.seeds);
        this.sign(name, hole);
        this.describe(name, hole);
      }
      position.stores.forEach((seeds, seat) => {
        this.fill(String(seat), seeds);
        this.spotOf[seat].setAttribute('aria-label', `${this.layout.seats[seat].name}'s store: ${plural(seeds, 'seed', 'seeds')}`);
      });
      this.outline(readSteps(this.frame.steps));
      this.say(position);
      this.element.dataset.position = this.frame.position;
    }

    // sign draws what is special about a hole.
    sign(name, hole) {
      const { signs, count, x, y } = this.bowls[name];
      count.textContent = hole.closed ? '–' : hole.seeds;
      const all = Object.entries(signShapes).filter(([kind]) => hole[kind]).flatMap(([, shapes]) => shapes(x, y, hole.seat));
      signs.replaceChildren(...all);
    }

    // describe tells a screen reader what a hole holds.
    describe(name, hole) {
      const { signs, seats } = this.layout;
      const special = ['mark', 'start', 'take', 'missed'].filter((sign) => hole[sign]).map((sign) => signs[sign]);
      const content = hole.closed ? signs.closed : plural(hole.seeds, 'seed', 'seeds');
      const label = `${seats[hole.seat].name}'s hole ${name}: ${[content, ...special].join(', ')}`;
      const spot = this.spotOf[name];
      spot.setAttribute('aria-label', spot.dataset.does ? `${label}. ${spot.dataset.does}` : label);
    }

    // outline shows the last ply: the holes that it emptied, where its last seed fell, and what was taken.
    outline(steps) {
      const drops = steps.filter(({ sign }) => sign === '+');
      const rings = steps.filter(({ sign }) => sign === '-').map(({ hole }) => [hole, 'from']);
      if (drops.length > 0) rings.push([drops[drops.length - 1].hole, 'to']);
      steps.filter(({ sign }) => sign === '>' || sign === '<').forEach(({ hole }) => rings.push([hole, 'taken']));
      const set = steps.some(({ sign }) => sign === '~'); // the board was set up again
      this.moved.replaceChildren(...(set ? [] : rings).map(([hole, kind]) => {
        const { x, y, rx, ry } = this.bowls[hole]; // the last seed may fall into a store
        return ring(x, y, Math.min(radius, rx, ry) + 1, `moved ${kind}`);
      }));
    }

    // say writes whose turn it is, and the legend of the signs on the board.
    say(position) {
      const { seats, phases, signs, rounds, single, donkeys } = this.layout;
      const { end } = this.frame; // not by the rules
      const over = position.phase === 'over' || Boolean(end);
      this.seats.forEach(({ line }, seat) => line.classList.toggle('moves', !over && position.side === seat));
      const who = seats[position.side];
      const task = over ? `The match is over. ${end ?? ''}` : `${who.bot ? `${who.bot} (${who.name})` : who.name} is ${phases[position.phase]}.`;
      this.turn.textContent = single ? task : `Round ${position.round} of ${rounds}. ${task}`;
      const seen = new Set(Object.values(position.holes).flatMap((hole) => Object.keys(hole).filter((key) => hole[key] === true)));
      const items = Object.entries(signs).filter(([sign]) => seen.has(sign) && signShapes[sign]).map(([sign, meaning]) => {
        const example = svg('svg', { viewBox: '-50 -50 100 100', class: 'board-example', 'aria-hidden': 'true' },
          ring(0, 0, radius, 'bowl'), ...signShapes[sign](0, 0, position.side));
        return Sembra.element('li', {}, example, meaning);
      });
      if (donkeys) {
        const owed = position.donkeys;
        this.seats.forEach((seat, i) => {
          seat.donkeys.hidden = owed[i] === 0;
          seat.donkeys.textContent = plural(owed[i], 'donkey', 'donkeys');
        });
        if (owed[0] + owed[1] > 0) items.push(Sembra.element('li', {}, Sembra.element('span', { class: 'board-donkeys' }, 'donkey'), signs.donkey));
      }
      this.legend.replaceChildren(...items);
    }

    // note writes a text beside the name of a seat, such as the clock.
    note(seat, text) {
      this.seats[seat].note.textContent = text;
    }

    // play shows how the seeds move from a frame to the next one, and then this frame. A speed of 1 is calm. It
    // returns whether the animation came to its end; another show or play ends it.
    async play(from, to, speed = 1) {
      this.show(from);
      const steps = readSteps(to.steps);
      if (steps.length > 0 && !stillWanted()) {
        const run = this.run;
        const mover = seatLetters.indexOf(to.mover);
        const beat = Math.min(260, 4500 / steps.length) / speed; // milliseconds for each hole
        this.moved.replaceChildren();
        let held = 0;
        for (let i = 0; i < steps.length;) {
          const { sign } = steps[i];
          let end = i + 1;
          if (sign === '=' || sign === '~') while (end < steps.length && steps[end].sign === sign) end++; // all together
          held = await this.act(steps.slice(i, end), mover, held, beat);
          if (run !== this.run) return false;
          i = end;
        }
        await this.wait(beat);
        if (run !== this.run) return false;
      }
      this.show(to);
      return true;
    }

    wait(ms) {
      return new Promise((done) => { setTimeout(done, ms); });
    }

    // act plays one step, or several at the same time, and returns how many seeds the hand then holds.
    async act(steps, mover, held, beat) {
      const [{ sign, hole }] = steps;
      const bowl = this.bowls[hole];
      if (sign === '-') {
        const seeds = held + this.counts[hole];
        const spread = Array.from({ length: Math.min(this.counts[hole], 12) }, (_, i) => bowl.places[i]);
        this.fill(hole, 0);
        this.hold(seeds, spread);
        this.hand.setAttribute('transform', `translate(${bowl.x} ${bowl.y})`);
        this.at = [bowl.x, bowl.y];
        this.moved.append(ring(bowl.x, bowl.y, radius + 1, 'moved from'));
        await this.wait(beat);
        return seeds;
      }
      if (sign === '+') {
        const run = this.run;
        await this.glide(this.hand, this.at, [bowl.x, bowl.y], beat * 0.75);
        if (run !== this.run) return held;
        this.at = [bowl.x, bowl.y];
        const left = held - steps[0].seeds;
        this.fill(hole, this.counts[hole] + steps[0].seeds);
        this.hold(left);
        await this.wait(beat * 0.25);
        return left;
      }
      const run = this.run;
      await Promise.all(steps.map((step) => this.carry(step, mover, beat)));
      if (run === this.run && sign !== '~') await this.wait(beat / 2);
      return held;
    }

    // hold draws the seeds in the hand.
    hold(seeds, spread) {
      if (seeds === 0) {
        this.hand.replaceChildren();
        return;
      }
      const shown = Math.min(seeds, 12);
      const at = spread || places(0.5, [[12, 0.5]]);
      const drawn = Array.from({ length: shown }, (_, i) => {
        const [x, y] = at[i] || [0, 0];
        return this.seed(x * 36, y * 36 - 6, i);
      });
      this.hand.replaceChildren(...drawn,
        ring(0, -52, 16, 'hand-pill'),
        text(0, -51, 'hand-count', seeds));
    }

    // carry moves seeds between a hole and a store.
    async carry({ sign, hole, seeds }, mover, beat) {
      const owner = this.position.holes[hole].seat;
      const store = String({ '>': mover, '<': 1 - mover }[sign] ?? owner);
      const [from, to] = sign === '~' ? [store, hole] : [hole, store];
      const count = sign === '~' ? seeds : this.counts[hole];
      const run = this.run;
      if (count === 0) return;
      const pile = svg('g', {}, ...places(1, [[Math.min(count, 24), 0.55]]).map(([x, y], i) => this.seed(x * 40, y * 40, i)));
      this.fill(from, this.counts[from] - count);
      this.drop.append(pile);
      if (sign === '>' || sign === '<') {
        const { x, y } = this.bowls[hole];
        this.moved.append(ring(x, y, radius + 1, 'moved taken'));
      }
      await this.glide(pile, [this.bowls[from].x, this.bowls[from].y], [this.bowls[to].x, this.bowls[to].y], beat * 2);
      pile.remove();
      if (run === this.run) this.fill(to, this.counts[to] + count);
    }

    // glide moves a group from a point to another, a little upwards on the way.
    async glide(group, from, to, ms) {
      const run = this.run;
      const begin = performance.now();
      const lift = Math.min(26, Math.hypot(to[0] - from[0], to[1] - from[1]) / 5);
      await new Promise((done) => {
        const step = (now) => {
          if (run !== this.run) {
            done();
            return;
          }
          const part = Math.min(1, Math.max(0, (now - begin) / ms));
          const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
          const x = from[0] + (to[0] - from[0]) * eased;
          const y = from[1] + (to[1] - from[1]) * eased - lift * Math.sin(Math.PI * part);
          group.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
          if (part < 1) requestAnimationFrame(step);
          else done();
        };
        step(begin);
      });
    }

    // choose makes buttons of holes: a list of {hole, label}, where the label says what the button does. A button calls
    // back with the name of its hole. choose([]) ends the choice.
    choose(holes, callback) {
      const wanted = new Map(holes.map(({ hole, label }) => [hole, label]));
      this.choices = holes.length > 0 ? { holes, callback } : null;
      for (const [name, spot] of Object.entries(this.spotOf)) {
        const isButton = spot.tagName === 'BUTTON';
        if (wanted.has(name) === isButton && !isButton) continue;
        const made = wanted.has(name)
          ? Sembra.element('button', { type: 'button', class: 'spot', 'data-hole': name, 'data-does': wanted.get(name) })
          : Sembra.element('span', { class: 'spot', role: 'img', 'data-hole': name });
        if (wanted.has(name)) made.addEventListener('click', () => callback(name));
        for (const side of ['left', 'top', 'width', 'height']) made.style[side] = spot.style[side];
        const focused = document.activeElement === spot;
        if (spot.hasAttribute('aria-label')) made.setAttribute('aria-label', spot.getAttribute('aria-label'));
        spot.replaceWith(made);
        this.spotOf[name] = made;
        if (focused && made.tagName === 'BUTTON') made.focus();
        if (this.position && this.position.holes[name]) this.describe(name, this.position.holes[name]);
      }
    }

    // preview shows beside the holes what the steps of a move would do; null: nothing.
    preview(steps) {
      const changes = new Map();
      for (const { sign, hole, seeds } of readSteps(steps)) {
        const now = changes.get(hole) ?? 0;
        if (sign === '+') changes.set(hole, now + seeds);
        else if (sign !== '~' && sign !== '=') changes.set(hole, -this.counts[hole]);
        if (sign !== '>' && sign !== '<') continue;
        const store = String(sign === '>' ? this.position.side : 1 - this.position.side);
        changes.set(store, (changes.get(store) ?? 0) + this.counts[hole] + now);
      }
      this.drop.replaceChildren(...[...changes].filter(([, change]) => change !== 0).map(([hole, change]) => {
        const { x, y } = this.bowls[hole];
        return svg('g', { class: 'preview', transform: `translate(${x} ${y}) scale(${this.place.pill / 30})` }, ring(0, 0, 20, ''),
          text(0, 1, '', change > 0 ? `+${change}` : `−${-change}`));
      }));
    }
  }

  Sembra.board = (element, layout, options) => new Board(element, layout, options);

  // A still board (see still_board.html).
  Sembra.begin('.still-board', (element) => {
    const layout = JSON.parse(element.querySelector('script').textContent);
    Sembra.board(element, layout).show(element.dataset.position);
  });
})();
