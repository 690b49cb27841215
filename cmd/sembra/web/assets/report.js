'use strict';
// A report shows one of its parts at a time: the one that the address names after its #.
(() => {
  const report = document.querySelector('[data-report]');
  if (!report) return; // a page of its own
  const isFolder = report.dataset.report === 'folder';
  const main = document.getElementById('main');
  const parts = new Map(); // by name: the element of a part, or the script that it is packed in
  for (const part of main.querySelectorAll(':scope > [data-part]')) parts.set(part.dataset.part, part);
  const [first] = parts.keys();

  // parts adds packed parts by name: their title and their text. The files of data in a folder call it.
  Sembra.parts = (packed) => {
    for (const [name, [title, text]] of Object.entries(packed)) {
      parts.set(name, Sembra.element('script', { type: 'text/plain', 'data-part': name, 'data-title': title }, text));
    }
  };

  // load loads the file of data that has a part.
  const load = (name) => new Promise((done) => {
    const chunk = name.split('/')[0];
    if (!/^(replays|lists)-\d+$/.test(chunk)) {
      done();
      return;
    }
    const script = Sembra.element('script', { src: `${chunk}.js` });
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    document.head.append(script);
  });

  // unpack makes the element of a packed part.
  const unpack = async (script) => {
    const { part, title } = script.dataset;
    const element = Sembra.element('article', { id: part, 'data-part': part, 'data-title': title });
    try {
      const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
      element.innerHTML = await new Response(stream).text(); // from our templates
    } catch (error) {
      element.append(Sembra.element('p', {}, `This browser cannot show “${title}”: ${error}. A newer browser can.`));
    }
    return element;
  };

  // plain returns a fragment without the number of a ply.
  const plain = (fragment) => fragment.replace(/&ply=\d+$/, '');

  // find returns the name of the part that a fragment leads to and, if it leads to an element in that part, its id.
  const find = (fragment) => {
    const name = plain(fragment);
    if (parts.has(name)) return [name, ''];
    if (fragment !== '' && !isFolder) {
      for (const [of, part] of parts) {
        if (part.querySelector(`#${CSS.escape(fragment)}`)) return [of, fragment];
      }
    }
    return [first, ''];
  };

  let current = '';
  const show = async () => {
    const { hash } = location;
    let fragment = hash.slice(1);
    try {
      fragment = decodeURIComponent(fragment);
    } catch { /* it stays as it is */ }
    if (fragment === main.id) return;
    if (isFolder && !parts.has(plain(fragment))) await load(fragment);
    if (location.hash !== hash) return; // the reader has moved on
    const [name, id] = find(fragment);
    if (name === undefined) {
      main.replaceChildren(Sembra.element('p', {}, 'This report has no such page.'));
      return;
    }
    if (name !== current) {
      const begun = current === '';
      current = name;
      let part = parts.get(name);
      if (part.localName === 'script') part = await unpack(part);
      if (name !== current) return; // the reader has moved on
      main.replaceChildren(part);
      document.title = `${part.dataset.title} · Sembra`;
      for (const link of document.querySelectorAll('.top nav a')) {
        const isHere = link.pathname === location.pathname && link.hash === `#${name}`;
        if (isHere) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
      Sembra.refresh(main);
      if (!begun) {
        scrollTo(0, 0);
        main.focus({ preventScroll: true });
      }
    }
    if (id !== '') document.getElementById(id).scrollIntoView();
  };
  main.replaceChildren();
  addEventListener('hashchange', show);
  show();
})();
