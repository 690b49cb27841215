'use strict';
// A report shows one of its parts at a time: the one that the address names after its #.
(() => {
  const main = document.getElementById('main');
  const parts = new Map(); // by name: the element of a part, or the script that it is packed in
  for (const part of main.querySelectorAll(':scope > [data-part]')) parts.set(part.dataset.part, part);
  const [first] = parts.keys();

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

  // find returns the name of the part that a fragment leads to and, if it leads to an element in that part, its id.
  const find = (fragment) => {
    const name = fragment.replace(/&ply=\d+$/, '');
    if (parts.has(name)) return [name, ''];
    if (fragment !== '') {
      for (const [of, part] of parts) {
        if (part.querySelector(`#${CSS.escape(fragment)}`)) return [of, fragment];
      }
    }
    return [first, ''];
  };

  let current = '';
  const show = async () => {
    let fragment = location.hash.slice(1);
    try {
      fragment = decodeURIComponent(fragment);
    } catch { /* it stays as it is */ }
    if (fragment === main.id) return;
    const [name, id] = find(fragment);
    if (name !== current) {
      const begun = current === '';
      current = name;
      let part = parts.get(name);
      if (part.localName === 'script') part = await unpack(part);
      if (name !== current) return; // the reader has gone on
      part.classList.add('shown');
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
