// The matches that were begun in this browser, the newest first. Their addresses are known to nobody else, so the browser
// keeps them.
const ownMatches = {
  read: () => {
    try {
      return JSON.parse(localStorage.getItem('sembra-play-matches')) || [];
    } catch {
      return []; // the browser keeps nothing
    }
  },
  write: (list) => {
    try { localStorage.setItem('sembra-play-matches', JSON.stringify(list.slice(0, 64))); } catch { /* likewise */ }
  },
  add: (match) => { ownMatches.write([match, ...ownMatches.read().filter(({ address }) => address !== match.address)]); },
  forget: (gone) => { ownMatches.write(ownMatches.read().filter(({ address }) => address !== gone)); },
};

// The list of one's own matches beside the form.
Sembra.begin('[data-play-mine]', async (section) => {
  const list = section.querySelector('ul');
  for (const { address, title, begun } of ownMatches.read()) {
    const answer = await fetch(`${address}/state?seen=0`).catch(() => null);
    if (answer?.status === 404) ownMatches.forget(address);
    if (!answer?.ok) continue;
    const { turn, result, ended } = await answer.json();
    const goes = turn !== 'nobody' && ended === '';
    const how = { won: 'you have won', lost: 'you have lost', draw: 'a draw' }[result]
      || (!goes ? 'stopped' : turn === 'person' ? 'your move' : 'the bot is thinking');
    const entry = Sembra.element('li', {}, Sembra.element('a', { href: address }, title),
      Sembra.element('span', { class: 'soft' }, ` begun ${new Date(begun).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}: ${how} `));
    if (goes) {
      const end = Sembra.element('button', { type: 'button', 'aria-label': `End it: ${title}` }, 'End it');
      end.addEventListener('click', async () => {
        await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ do: 'close' }) });
        end.replaceWith('(ended)');
      });
      entry.append(end);
    }
    list.append(entry);
    section.hidden = false;
  }
});

// The page on which a person plays a bot. The server knows the rules: it sends frames of the board and the questions
// that lead to a move (see playState in play.go), and takes the actions of the person.
Sembra.begin('[data-play]', (root) => {
  const data = Sembra.data('play-data');
  const part = (name) => root.querySelector(`[data-play-${name}]`);
  const [status, ask, end, log, resign, round, again] = ['status', 'ask', 'end', 'log', 'resign', 'round', 'again'].map(part);
  const tools = Object.fromEntries([...root.querySelectorAll('[data-play-do]')].map((button) => [button.dataset.playDo, button]));
  const board = Sembra.board(part('board'), data.layout, { label: `The board. You are ${data.layout.seats[data.seat].name}` });

  ownMatches.add({ begun: Date.now(), ...ownMatches.read().find(({ address }) => address === data.address), address: data.address, title: document.title.split(' · ')[0] });

  let state = null; // the newest one of the server
  let frames = []; // of the match: the first board, and one for each ply
  let shown = 0; // the frame that the board shows, or moves to
  let path = []; // the choices that the person has made for the move
  let advice = []; // the choices that lead to the move of the hint
  let asking = false; // a question is open
  let busy = false; // the board moves, or an action is on its way
  let run = 0; // the number of the animation that may continue
  let failure = ''; // why the last action failed; it stays until something is done

  const say = (text) => { status.textContent = text; };
  const button = (attributes, ...content) => Sembra.element('button', { type: 'button', ...attributes }, ...content);

  // remember keeps a setting of the person in the browser.
  const remember = (control, key, name) => {
    try {
      const kept = localStorage.getItem(key);
      if (kept !== null) control[name] = name === 'checked' ? kept === 'true' : kept;
    } catch { /* the browser keeps nothing */ }
    control.addEventListener('change', () => {
      try { localStorage.setItem(key, control[name]); } catch { /* likewise */ }
    });
  };
  const keys = part('keys'), speed = part('speed'), near = part('near');
  remember(keys, 'sembra-play-keys', 'checked');
  remember(speed, 'sembra-play-speed', 'value');
  remember(near, 'sembra-play-near', 'checked');
  const turn = () => {
    const low = near.checked ? data.seat : 0;
    part('row').textContent = data.seat === low ? ', in the lower row' : ', in the upper row';
    board.turnTo(low);
  };
  near.addEventListener('change', turn);
  turn();

  // The server

  // follow asks for news, again and again.
  const follow = async () => {
    for (let pause = 1000; ;) {
      let news = null;
      try {
        const answer = await fetch(`${data.address}/state?seen=${state ? state.number : 0}`);
        pause = answer.ok ? 1000 : pause;
        if (answer.status === 404) {
          ownMatches.forget(data.address);
          closed('This match is not kept any more.');
          return;
        }
        if (answer.status === 200) news = await answer.json();
        else if (!answer.ok) throw new Error((await answer.json()).error);
      } catch (problem) {
        say(`The page cannot reach the match and tries again. (${problem.message})`);
        await new Promise((done) => { setTimeout(done, pause); });
        pause = Math.min(2 * pause, 15000);
      }
      if (news) await arrive(news);
    }
  };

  // send does an action. It returns the answer of the server, or null if the server refuses the action.
  const send = async (action) => {
    failure = '';
    try {
      const answer = await fetch(data.address, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ number: state.number, ...action }),
      });
      if (answer.status === 204) return {};
      const content = await answer.json();
      if (answer.ok) return content;
      failure = `That was not possible: ${content.error}.`;
    } catch (problem) {
      failure = `The page cannot reach the match. Please try again. (${problem.message})`;
    }
    say(failure);
    return null;
  };

  // The match

  // arrive shows a new state: the plies that are new move on the board.
  const arrive = async (news) => {
    const before = frames, last = frames[shown];
    const same = (a, b) => a && a.position === b.position && a.token === b.token;
    frames = news.frames.map((frame, i) => (same(before[i], frame) ? before[i] : frame));
    state = news;
    failure = '';
    path = [];
    advice = [];
    resign.hidden = true;
    // The board moves on from what it shows. After an undo or a reload there is nothing to move, but the bot may
    // have begun the match.
    const begun = frames.length === 2 && frames[1].mover !== 'SN'[data.seat];
    const known = last ? frames.indexOf(last) : begun ? 0 : -1;
    list();
    await watch(known >= 0 ? known : frames.length - 1, frames.length - 1);
  };

  // watch moves the board from a frame to another one, and then shows what the person can do.
  const watch = async (from, to) => {
    const mine = ++run;
    busy = true;
    shown = to;
    ask.hidden = false;
    lock(from === to ? '' : 'The seeds move …');
    board.show(frames[from]);
    if (from < to) board.element.scrollIntoView({ block: 'nearest' }); // on a small screen it may be above
    for (let i = from + 1; i <= to; i++) {
      say(frames[i].text);
      mark(i);
      const pace = Number(speed.value);
      if (pace > 0) await board.play(frames[i - 1], frames[i], pace);
      if (mine !== run) return;
    }
    board.show(frames[to]);
    if (!data.layout.single) round.textContent = ` Round ${Sembra.readPosition(data.layout, frames[to].position).round} of ${data.layout.rounds}.`;
    busy = false;
    mark(to);
    present();
  };

  // sign marks the holes of choices that are made, until the move is complete.
  const sign = (choices) => {
    for (const spot of board.element.querySelectorAll('.spot')) {
      spot.classList.toggle('chosen', choices.some(({ hole }) => hole === spot.dataset.hole));
    }
  };

  // lock takes away what the person could do, and says why.
  const lock = (why) => {
    board.choose([]);
    sign([]);
    board.preview(null); // holes that cannot be chosen any more do not tell that the pointer leaves them
    asking = false;
    ask.replaceChildren(Sembra.element('p', { class: 'soft' }, why));
  };

  // present shows what the person can do now.
  const present = () => {
    const newest = shown === frames.length - 1;
    const goes = state.turn !== 'nobody' && state.ended === '';
    tools.undo.disabled = !state.undo || state.ended !== '';
    tools.hint.disabled = state.turn !== 'person' || state.ended !== '';
    tools.resign.disabled = !goes;
    end.hidden = goes;
    root.classList.toggle('over', !goes);
    ask.hidden = newest && !goes;
    lock(`${data.bot} is thinking …`);
    if (!newest) {
      const told = frames[shown].text || 'The board at the beginning.';
      say(`After ${shown} of ${frames.length - 1} moves. ${told}`);
      ask.replaceChildren(Sembra.element('p', {}, 'You look at an earlier board.'), backButton());
    } else if (!goes) {
      finish();
    } else if (state.turn === 'bot') {
      say([frames[shown].text, `${data.bot} is thinking …`].filter(Boolean).join(' '));
    } else {
      question(false);
    }
  };

  const backButton = () => {
    const back = button({ class: 'primary' }, 'Back to the match');
    back.addEventListener('click', () => { watch(frames.length - 1, frames.length - 1); });
    return back;
  };

  // finish shows how the match ended.
  const finish = () => {
    const over = state.outcome.length > 0;
    const lines = [...state.outcome, state.ended].filter(Boolean);
    const titles = { won: 'You have won', lost: 'You have lost', draw: 'The match is a draw', '': 'The match was stopped' };
    const title = over ? `${titles[state.result]}, ${lines.shift()}` : titles[''];
    say(frames[shown].text || '');
    const actions = Sembra.element('p', { class: 'play-actions' });
    if (over) actions.append(Sembra.element('a', { class: 'button primary', href: `${data.address}/record.jsonl`, download: '' }, 'Save the match'));
    if (frames.length > 1) {
      const replay = button({}, 'Watch it again');
      replay.addEventListener('click', () => { watch(0, frames.length - 1); });
      actions.append(replay);
    }
    if (!over) {
      const address = new URL(again.href);
      address.searchParams.set('position', frames[frames.length - 1].position);
      actions.append(Sembra.element('a', { class: 'button primary', href: address.href }, 'Go on from this position'));
    }
    end.replaceChildren(Sembra.element('h2', {}, `${title}.`),
      ...lines.map((line) => Sembra.element('p', {}, line)), actions);
    end.scrollIntoView({ block: 'nearest' });
    if (document.activeElement === document.body) end.focus({ preventScroll: true });
  };

  // closed says that nothing can be done any more.
  const closed = (why) => {
    if (state === null) say(why);
    else {
      state = { ...state, turn: 'nobody', question: null, undo: false, ended: why };
      present();
    }
  };

  // The questions

  // open returns the question that is open now.
  const open = () => path.reduce((_, choice) => choice.next, state.question);

  // stepsOf returns how a choice would move the seeds; null if there is more to decide.
  const stepsOf = (choice) => (state?.steps?.[choice.token] || null);

  // keyOf returns the key of a choice: its sign, or the first letter of a move that has a name, such as take. Moves with
  // the same name, such as two claims, have numbers.
  const keyOf = (choice, choices) => {
    if (!isNamed(choice)) return choice.key;
    const [name] = choice.key.split('=');
    const alike = choices.filter(({ key }) => key.startsWith(name));
    return name === 'claim' ? String(alike.indexOf(choice) + 1) : name[0];
  };
  const isNamed = ({ key }) => /^[a-z]{2}/.test(key); // take, pass, claim=e

  // answers tells choices, each with its question if the choice alone says too little.
  const answers = (choices) => choices.map((choice, i) => {
    const asked = i > 0 ? choices[i - 1].next : state.question;
    const text = choice.text.split(':')[0];
    if (choice.hole && !isNamed(choice)) return `hole ${choice.key}`;
    return /^(yes|no|none)\b|^\d/.test(text) ? `${asked.text.split('?')[0]}? ${text}` : text;
  });

  // pick takes a choice: its move is played, or the next question is asked.
  const pick = async (choice) => {
    if (busy) return;
    path.push(choice);
    if (choice.next) {
      question(true);
      return;
    }
    busy = true;
    lock('The seeds move …');
    board.preview(stepsOf(choice));
    const done = await send({ do: 'move', token: choice.token });
    busy = false;
    if (!done) {
      path = [];
      present();
    }
  };

  // question asks the open question: by the holes of the board, and by buttons for all other choices.
  const question = (moved) => {
    const asked = open();
    const told = frames[shown].text;
    const words = (choice) => `${choice.text}${advice.includes(choice) ? ' (hint)' : ''}`;
    board.preview(null);
    board.choose(asked.choices.filter((choice) => choice.hole).map((choice) => ({ hole: choice.hole, label: words(choice) })),
      (name) => { pick(asked.choices.find((choice) => choice.hole === name)); });
    sign(path);
    for (const spot of board.element.querySelectorAll('button[data-hole]')) {
      spot.classList.toggle('hinted', advice.some((choice) => choice.hole === spot.dataset.hole));
    }
    const preview = Sembra.element('p', { class: 'play-preview' });
    const onBoard = asked.choices.filter((choice) => choice.hole);
    const look = (choice) => {
      preview.textContent = choice ? `${choice.hole}: ${choice.text}`
        : onBoard.length > 0 ? 'Choose a ringed hole on the board, or press its letter and then Enter.' : '';
      board.preview(choice ? stepsOf(choice) : null);
    };
    for (const spot of board.element.querySelectorAll('button[data-hole]')) {
      const choice = asked.choices.find(({ hole }) => hole === spot.dataset.hole);
      for (const event of ['pointerenter', 'focus']) spot.addEventListener(event, () => { look(choice); });
      for (const event of ['pointerleave', 'blur']) spot.addEventListener(event, () => { look(null); });
    }
    const listed = asked.choices.filter((choice) => !choice.hole || isNamed(choice)).map((choice) => {
      const made = button({ class: `play-choice${advice.includes(choice) ? ' hinted' : ''}` },
        Sembra.element('kbd', {}, keyOf(choice, asked.choices)), Sembra.element('span', {}, words(choice)));
      made.addEventListener('click', () => { pick(choice); });
      for (const event of ['pointerenter', 'focus']) made.addEventListener(event, () => { board.preview(stepsOf(choice)); });
      for (const event of ['pointerleave', 'blur']) made.addEventListener(event, () => { board.preview(null); });
      return Sembra.element('li', {}, made);
    });
    const parts = [];
    if (path.length > 0) {
      const back = button({ class: 'play-back' }, '← Choose again');
      back.addEventListener('click', stepBack);
      parts.push(Sembra.element('p', { class: 'play-path' }, 'So far: ', ...answers(path).flatMap((text, i) => [i > 0 ? '; ' : '', Sembra.element('strong', {}, text)])), back);
    }
    parts.push(Sembra.element('h2', { class: 'play-question', id: 'play-question' }, asked.text));
    if (onBoard.length > 0) parts.push(preview);
    if (listed.length > 0) parts.push(Sembra.element('ul', { class: 'play-choices' }, ...listed));
    if (onBoard.length > 0) parts.push(inWords(onBoard));
    ask.replaceChildren(...parts);
    asking = true;
    look(null);
    const news = path.length === 0 ? failure || [told, 'It is your move.'].filter(Boolean).join(' ') : '';
    say([news, asked.text].filter(Boolean).join(' '));
    const first = ask.querySelector('.play-choices button');
    if (moved && path.length > 0 && first) {
      first.focus({ preventScroll: true });
      ask.scrollIntoView({ block: 'nearest' }); // so that as much of the board as possible stays in view
    } else if (document.activeElement === document.body) ask.focus({ preventScroll: true });
  };

  // inWords lists the moves of the holes in words.
  const inWords = (choices) => Sembra.element('details', {},
    Sembra.element('summary', {}, 'What each hole would do'),
    Sembra.element('ul', { class: 'play-words' }, ...choices.map((choice) => Sembra.element('li', {}, Sembra.element('b', {}, choice.hole), ` ${choice.text}`))));

  // refuse says why a hole cannot be chosen. It reports whether there is a reason.
  const refuse = (name) => {
    const barred = path.length === 0 ? state.barred?.[name] : 'This is no answer to the question. Esc takes back the choice before it.';
    const why = asking && name && barred;
    if (why) say(why);
    return Boolean(why);
  };
  board.element.addEventListener('click', ({ target }) => {
    const spot = target.closest('.spot:not(button)');
    if (spot) refuse(spot.dataset.hole);
  });

  const stepBack = () => {
    path.pop();
    question(true);
  };

  // The list of the moves

  const list = () => {
    const entries = frames.map((frame, i) => {
      if (i === 0) return null;
      const made = button({ class: 'play-ply', title: 'Show it on the board' },
        Sembra.element('span', { class: `play-token ${frame.mover === 'S' ? 'south' : 'north'}` }, frame.token), ' ', Sembra.element('span', {}, frame.text));
      made.addEventListener('click', () => { watch(i - 1, i); });
      return Sembra.element('li', {}, made);
    });
    log.replaceChildren(...entries.filter(Boolean));
    if (log.childElementCount === 0) log.append(Sembra.element('li', { class: 'soft' }, 'Nothing yet.'));
  };

  // mark marks the entry of a ply.
  const mark = (ply) => {
    [...log.children].forEach((entry, i) => entry.classList.toggle('now', i + 1 === ply));
    const now = log.children[ply - 1];
    if (now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight / 2;
  };

  // The tools

  const routeTo = (asked, token) => {
    for (const choice of asked.choices) {
      if (choice.token === token) return [choice];
      const rest = choice.next ? routeTo(choice.next, token) : [];
      if (rest.length > 0) return [choice, ...rest];
    }
    return [];
  };
  tools.hint.addEventListener('click', async () => {
    say('Looking for a good move …');
    tools.hint.disabled = true;
    const hint = await send({ do: 'hint' });
    tools.hint.disabled = state.turn !== 'person';
    if (!hint || hint.number !== state.number || state.turn !== 'person' || busy) return;
    advice = routeTo(state.question, hint.token);
    path = [];
    if (shown !== frames.length - 1) board.show(frames[frames.length - 1]);
    shown = frames.length - 1;
    question(true);
    say(`Hint: ${answers(advice).join('; ')}. It means ${hint.text}.`);
    const spot = board.element.querySelector('button.hinted') || ask.querySelector('button.hinted');
    if (spot) spot.focus({ preventScroll: true });
    board.element.scrollIntoView({ block: 'nearest' });
    board.preview(stepsOf(advice[advice.length - 1]));
  });
  tools.undo.addEventListener('click', async () => {
    if (state.turn === 'bot') say(`Your move is taken back as soon as ${data.bot} has answered.`);
    await send({ do: 'undo' });
  });
  tools.resign.addEventListener('click', () => {
    resign.hidden = false;
    tools.stay.focus();
  });
  tools.stay.addEventListener('click', () => {
    resign.hidden = true;
    tools.resign.focus();
  });
  tools.really.addEventListener('click', async () => {
    resign.hidden = true;
    if (state.turn === 'bot') say(`You resign as soon as ${data.bot} has answered.`);
    await send({ do: 'resign' });
  });

  again.addEventListener('click', (event) => { // the bot is not needed any more, except for a new match in another tab
    if (state && (state.turn === 'nobody' || !(event.ctrlKey || event.metaKey || event.shiftKey))) {
      navigator.sendBeacon(data.address, new Blob([JSON.stringify({ do: 'close' })], { type: 'application/json' }));
    }
  });

  // Keys: letters stand for holes and choices. Escape goes back, or ends the movement on the board.
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select, textarea') || state === null) return;
    if (event.key === 'Escape') {
      if (!resign.hidden) tools.stay.click();
      else if (busy && shown === frames.length - 1) watch(shown, shown);
      else if (!busy && path.length > 0) stepBack();
      return;
    }
    if (!keys.checked || event.key.length !== 1) return;
    const tool = { u: tools.undo, h: tools.hint, '?': tools.hint, r: tools.resign }[event.key.toLowerCase()];
    if (asking) {
      const { choices } = open();
      const choice = choices.find((one) => keyOf(one, choices).toLowerCase() === event.key.toLowerCase());
      if (choice) {
        event.preventDefault();
        if (choice.hole && !isNamed(choice)) board.element.querySelector(`button[data-hole="${CSS.escape(choice.hole)}"]`).focus();
        else pick(choice);
        return;
      }
    }
    if (!(tool && path.length > 0) && refuse(data.layout.seats[data.seat].holes.find((name) => name.toLowerCase() === event.key.toLowerCase()))) return;
    if (tool && !tool.disabled) {
      event.preventDefault();
      tool.click();
    }
  });

  follow();
});
