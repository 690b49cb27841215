// The page of a match: the board ply by ply.
(() => {
  const clock = (ms) => (ms < 1000 ? `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`);
  const signed = (score) => `${score > 0 ? '+' : ''}${Number(score.toPrecision(4))}`.replace('-', '−');

  class Replay {
    constructor(match) {
      this.match = match;
      const { layout } = this.read(match);
      this.layout = layout;
      this.ply = -1;
      this.running = false;
      this.board = Sembra.board(match.querySelector('.match-board'), layout);
      this.slider = match.querySelector('.match-controls input');
      this.output = match.querySelector('.match-controls output');
      this.speed = match.querySelector('[data-speed]');
      this.told = match.querySelector('.match-told');
      this.list = match.querySelector('.match-list');
      this.link();
      this.listen();
      this.go(this.plyOf(location.href) ?? this.frames.length - 1, { keep: true });
      if (match.dataset.inPlay !== undefined) this.follow();
    }

    // read reads what the script has of a match.
    read(match) {
      const data = JSON.parse(match.querySelector('.match-data').textContent);
      this.frames = data.frames;
      this.times = data.left ?? this.spent();
      this.word = data.left ? 'left' : 'used';
      this.moved = performance.now() - (data.idle ?? 0);
      return data;
    }

    // link finds the links of the moves, and writes the times and the scores beside them.
    link() {
      this.links = new Map([...this.match.querySelectorAll('.match-moves li a')].map((link) => [this.plyOf(link.href), link]));
      for (const [ply, link] of this.links) {
        const { elapsed, score } = this.frames[ply];
        if (elapsed) link.append(Sembra.element('span', {}, clock(elapsed)));
        if (score !== undefined) link.append(Sembra.element('span', { class: 'score' }, signed(score)));
      }
    }

    // follow reads the page of a match in play every second, until it is that of its record. A reader at the last board
    // sees the new ones.
    follow() {
      const clocks = setInterval(() => this.tick(), 100);
      const timer = setInterval(async () => {
        if (document.hidden) return;
        const answer = await fetch(location.href).catch(() => null);
        const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
        const news = page?.querySelector('article.match');
        if (!news) {
          this.told.textContent = answer ? 'The match is over, and is being recorded.' : 'Sembra does not answer: the run may have ended.';
        } else if (news.dataset.inPlay === undefined) {
          clearInterval(timer);
          clearInterval(clocks);
          location.reload();
        } else this.update(news);
      }, 1000);
    }

    update(news) {
      const last = this.frames.length - 1, isAtLast = this.ply === last;
      this.read(news);
      const now = this.frames.length - 1;
      if (now === last) return;
      this.slider.max = now;
      for (const part of ['.match-list', '.match-charts']) {
        this.match.querySelector(part).replaceChildren(...news.querySelector(part).childNodes);
      }
      this.link();
      if (!isAtLast) this.tell(this.ply, true);
      else if (now === last + 1) this.move(true);
      else this.go(now, { keep: true });
    }

    // tick shows the clock of the player who thinks.
    tick() {
      const last = this.frames.length - 1;
      if (this.word !== 'left' || this.ply !== last) return;
      const mover = 'SN'.indexOf(this.frames[last].position.split(' ')[2]);
      this.board.note(mover, `${clock(Math.max(0, this.times[last][mover] - (performance.now() - this.moved)))} left`);
    }

    // spent returns the thinking time of both players after each ply, in milliseconds.
    spent() {
      const spent = [[0, 0]];
      for (const frame of this.frames.slice(1)) {
        const now = [...spent[spent.length - 1]];
        now['SN'.indexOf(frame.mover)] += frame.elapsed || 0;
        spent.push(now);
      }
      return spent;
    }

    // plyOf returns the number of the ply that an address names; undefined if it names none of this match.
    plyOf(address) {
      const hash = (url) => new URL(url, location.href).hash.split(/(?<==)(?=\d+$)/);
      const [begin, ply] = hash(address);
      if (ply === undefined || begin !== hash(this.address(0))[0]) return undefined;
      return Math.min(Number(ply), this.frames.length - 1);
    }

    // address returns the address of a ply.
    address(ply) {
      return this.match.dataset.plyAddress.replace(/\d+$/, ply);
    }

    // caption writes the numbers of the curves after a ply beside their titles.
    caption(ply) {
      const scores = ['', ''];
      for (const { mover, score } of this.frames.slice(1, ply + 1)) {
        if (score !== undefined) scores['SN'.indexOf(mover)] = signed(mover === 'N' ? -score : score);
      }
      const numbers = {
        stores: Sembra.readPosition(this.layout, this.frames[ply].position).stores, clocks: this.times[ply].map(clock), scores,
      };
      for (const curves of this.match.querySelectorAll('[data-curves]')) {
        curves.querySelector('.curves-at').textContent = ply === 0 ? 'at the start' : `after ply ${ply}`;
        for (const [seat, name] of ['south', 'north'].entries()) {
          const number = curves.querySelector(`.curve-name.${name} b`);
          if (number) number.textContent = numbers[curves.dataset.curves][seat];
        }
      }
    }

    listen() {
      const actions = {
        first: () => this.leave(0),
        before: () => this.leave(this.ply - 1),
        run: () => (this.running ? this.pause() : this.start()),
        next: () => this.step(),
        last: () => this.leave(this.frames.length - 1),
        turn: () => {
          this.pause();
          this.board.turnTo(1 - this.board.low);
        },
        copy: (button) => this.copy(button, new URL(this.address(this.ply), location.href).href),
        position: (button) => this.copy(button, this.frames[this.ply].position),
      };
      for (const button of this.match.querySelectorAll('[data-go]')) {
        button.addEventListener('click', () => actions[button.dataset.go](button));
      }
      this.slider.addEventListener('input', () => this.leave(Number(this.slider.value)));
      this.match.addEventListener('click', (event) => {
        const link = event.target.closest('.match-moves a, .match-rounds a');
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.leave(this.plyOf(link.href));
      });
      // plyAt returns the ply of the curves under a pointer; undefined if there is none.
      const plyAt = ({ target, clientX }) => {
        const plot = target.closest('.curves-plot')?.getBoundingClientRect();
        const ply = plot && Math.round((this.frames.length - 1) * (clientX - plot.left) / plot.width);
        return plot && Math.max(0, Math.min(ply, this.frames.length - 1));
      };
      this.match.addEventListener('click', (event) => {
        const ply = plyAt(event);
        if (ply !== undefined) this.leave(ply);
      });
      this.match.addEventListener('pointermove', (event) => { this.caption(plyAt(event) ?? this.ply); });
      const keys = { ArrowLeft: 'before', ArrowRight: 'next', Home: 'first', End: 'last', ' ': 'run', t: 'turn' };
      document.addEventListener('keydown', (event) => {
        const action = keys[event.key];
        const used = event.target.closest('input, select, textarea, button, a, summary, [contenteditable]');
        if (!action || event.altKey || event.ctrlKey || event.metaKey || !this.match.isConnected || !this.match.checkVisibility()) return;
        if (used && (event.key === ' ' || !used.matches('a, button'))) return;
        event.preventDefault();
        actions[action]();
      });
      addEventListener('hashchange', () => {
        const ply = this.plyOf(location.href);
        if (ply !== undefined && ply !== this.ply && this.match.isConnected) this.leave(ply);
      });
    }

    // leave ends the running and shows a ply.
    leave(ply) {
      this.pause();
      this.go(ply);
    }

    pause() {
      this.running = false;
      this.drawRun();
    }

    drawRun() {
      const button = this.match.querySelector('[data-go="run"]');
      button.textContent = this.running ? '⏸ Pause' : '▶ Play';
      button.setAttribute('aria-label', this.running ? 'Pause' : 'Play');
      button.toggleAttribute('data-running', this.running);
    }

    // step shows the next ply with the seeds moving.
    async step() {
      this.pause();
      if (this.ply < this.frames.length - 1) await this.move();
    }

    // start shows ply after ply.
    async start() {
      if (this.ply === this.frames.length - 1) this.go(0);
      this.running = true;
      this.drawRun();
      const run = Symbol('run');
      this.runner = run;
      const goes = () => this.running && this.runner === run && this.match.isConnected;
      while (goes() && this.ply < this.frames.length - 1) {
        if (!(await this.move())) break;
        await new Promise((done) => { setTimeout(done, 700 / this.rate()); });
      }
      if (this.runner === run) this.pause();
    }

    rate() {
      return Number(this.speed.value);
    }

    // move plays the next ply. It returns whether nothing came in between.
    async move(keep) {
      const from = this.ply;
      this.tell(from + 1, keep);
      const whole = await this.board.play(this.frames[from], this.frames[from + 1], this.rate());
      return whole && this.ply === from + 1;
    }

    // go shows a ply without animation.
    go(wanted, { keep = false } = {}) {
      const ply = Math.max(0, Math.min(wanted, this.frames.length - 1));
      this.tell(ply, keep);
      this.board.show(this.frames[ply]);
    }

    // tell shows everything about a ply but the board.
    tell(ply, keep) {
      this.ply = ply;
      const frame = this.frames[ply];
      this.match.dataset.ply = ply;
      this.match.dataset.position = frame.position;
      this.slider.value = ply;
      this.slider.setAttribute('aria-valuetext', ply === 0 ? 'first board' : `ply ${ply}: ${frame.token}`);
      this.output.textContent = `${ply} of ${this.frames.length - 1}`;
      this.told.replaceChildren(...(ply === 0 ? ['The first board.'] : this.sentences(frame)));
      [0, 1].forEach((seat) => this.board.note(seat, `${clock(this.times[ply][seat])} ${this.word}`));
      for (const line of this.match.querySelectorAll('.curves-plot .now')) {
        const at = `${100 * ply / (this.frames.length - 1)}%`;
        line.setAttribute('x1', at);
        line.setAttribute('x2', at);
      }
      this.caption(ply);
      const play = this.match.querySelector('[data-play-from]');
      if (play) {
        const [, , side, phase] = frame.position.split(' ');
        const address = new URL(play.href);
        address.searchParams.set('seat', side === 'N' ? 'north' : 'south');
        address.searchParams.set('position', frame.position);
        play.href = address.href;
        play.hidden = phase === 'over';
      }
      for (const [at, link] of this.links) {
        if (at === ply) link.setAttribute('aria-current', 'step');
        else link.removeAttribute('aria-current');
      }
      this.scroll(this.links.get(ply));
      if (!keep) history.replaceState(history.state, '', this.address(ply));
    }

    sentences(frame) {
      const parts = (frame.text || '').split('\n').map((line) => Sembra.element('span', {}, line, ' '));
      if (frame.score !== undefined) parts.push(Sembra.element('span', { class: 'soft' }, `Score reported: ${signed(frame.score)}. `));
      if (frame.elapsed) parts.push(Sembra.element('span', { class: 'soft' }, `Time: ${clock(frame.elapsed)}.`));
      return parts;
    }

    // scroll brings a move into view inside the list, without moving the page.
    scroll(link) {
      if (!link) {
        if (this.ply === 0) this.list.scrollTop = 0;
        return;
      }
      const item = link.getBoundingClientRect(), list = this.list.getBoundingClientRect();
      if (item.top < list.top) this.list.scrollTop -= list.top - item.top + 8;
      else if (item.bottom > list.bottom) this.list.scrollTop += item.bottom - list.bottom + 8;
      if (item.left < list.left || item.right > list.right) this.list.scrollLeft += item.left - list.left - 20;
    }

    async copy(button, text) {
      this.labels ??= new Map([...this.match.querySelectorAll('[data-go]')].map((each) => [each, each.textContent]));
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch { /* the browser does not allow it */ }
      if (!done) this.told.textContent = text;
      button.textContent = done ? 'Copied' : 'It is below the board';
      setTimeout(() => { button.textContent = this.labels.get(button); }, 2000);
    }
  }

  Sembra.begin('article.match', (match) => { new Replay(match); });
})();
