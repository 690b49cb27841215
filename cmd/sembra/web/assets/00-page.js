'use strict';
// What all pages share: the colours, sortable tables, and helpers for the other scripts.
const Sembra = {};

(() => {
  // element makes an element with attributes and children. A child is an element or a text.
  Sembra.element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children);
    return made;
  };

  // data returns what stands in a <script type="application/json"> with an id; null: there is none.
  Sembra.data = (id) => {
    const script = document.getElementById(id);
    return script ? JSON.parse(script.textContent) : null;
  };

  // begin calls a function once for each element that fits a selector, now and whenever content is
  // put into the page with Sembra.refresh.
  const beginners = [];
  Sembra.begin = (selector, f) => {
    beginners.push([selector, f, new WeakSet()]);
    Sembra.refresh(document);
  };
  Sembra.refresh = (root) => {
    for (const [selector, f, done] of beginners) {
      for (const found of root.querySelectorAll(selector)) {
        if (!done.has(found)) {
          done.add(found);
          f(found);
        }
      }
    }
  };

  // The colours: as the system, light or dark.
  const themes = ['system', 'light', 'dark'];
  const signs = { system: '◐', light: '☀', dark: '☾' };
  const setTheme = (button, theme) => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = signs[theme];
    button.setAttribute('aria-label', `Colours: ${theme === 'system' ? 'as the system' : theme}`);
    button.title = button.getAttribute('aria-label');
  };
  Sembra.begin('[data-theme-switch]', (button) => {
    setTheme(button, document.documentElement.dataset.theme || 'system');
    button.addEventListener('click', () => {
      const current = document.documentElement.dataset.theme || 'system';
      const next = themes[(themes.indexOf(current) + 1) % themes.length];
      setTheme(button, next);
      try {
        if (next === 'system') localStorage.removeItem('sembra-theme');
        else localStorage.setItem('sembra-theme', next);
      } catch { /* the browser keeps nothing */ }
    });
  });

  // A click anywhere on a match of a list leads to it.
  document.addEventListener('click', ({ target }) => {
    const row = target.closest('[aria-label="Matches"] tbody tr');
    if (row && !target.closest('a') && getSelection().isCollapsed) row.querySelector('a')?.click();
  });

  // A click on a cell of a large crosstable leads to its matches.
  document.addEventListener('click', ({ target, ctrlKey, metaKey }) => {
    const cell = target.closest('.cross [data-matches] td');
    const { against } = cell?.closest('table').tHead.rows[0].cells[cell.cellIndex].dataset ?? {};
    if (!against || cell.className === 'none' || !getSelection().isCollapsed) return;
    const address = cell.parentElement.dataset.matches + against;
    if (ctrlKey || metaKey) open(address);
    else location.href = address;
  });

  // So do the arrow keys and Enter.
  const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  document.addEventListener('keydown', (event) => {
    const body = event.target.closest('.cross:has([data-matches])')?.querySelector('tbody');
    if (!body) return;
    const cell = event.target.closest('td');
    if (cell && event.key === 'Enter') cell.click();
    if (!arrows[event.key]) return;
    const [down, right] = arrows[event.key];
    const next = cell ? body.rows[cell.parentElement.sectionRowIndex + down]?.cells[cell.cellIndex + right] : body.rows[0].cells[2];
    event.preventDefault();
    if (!next || next.cellIndex < 2) return;
    next.tabIndex = -1;
    next.focus();
  });

  // Sortable tables: the header of each column becomes a button. The cells of a column are numbers if
  // its header has the class number; a cell can give another value in data-value. A header with
  // data-sort="none" stays as it is.
  const order = (a, b) => {
    if (a === b) return 0;
    if (a === null) return 1; // unknown values come last in both directions
    if (b === null) return -1;
    return typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true });
  };
  const valueOf = (row, column, isNumber) => {
    const cell = row.cells[column];
    if (!cell) return null;
    const text = cell.dataset.value === undefined ? cell.textContent.trim() : cell.dataset.value;
    if (!isNumber) return text;
    const number = Number.parseFloat(text.replace('−', '-'));
    return Number.isNaN(number) ? null : number;
  };
  const sort = (table, header, descending) => {
    const column = header.cellIndex;
    const isNumber = header.classList.contains('number');
    for (const body of table.tBodies) {
      const keyed = [...body.rows].map((row) => [valueOf(row, column, isNumber), row]);
      keyed.sort(([a], [b]) => (descending && a !== null && b !== null ? order(b, a) : order(a, b)));
      body.append(...keyed.map(([, row]) => row));
    }
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  };
  // sortAgain sorts a table whose cells have changed as the reader has sorted it before.
  Sembra.sortAgain = (table) => {
    const header = table.tHead.querySelector('[aria-sort]');
    if (header) sort(table, header, header.getAttribute('aria-sort') === 'descending');
  };
  Sembra.begin('table.sortable thead th', (header) => { // live updates add columns
    if (header.dataset.sort === 'none' || header.textContent.trim() === '') return;
    const button = Sembra.element('button', { type: 'button', class: 'sort' });
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener('click', () => {
      const now = header.getAttribute('aria-sort');
      const descending = now === null ? header.classList.contains('number') : now === 'ascending'; // numbers: the largest first
      sort(header.closest('table'), header, descending);
    });
  });
})();
