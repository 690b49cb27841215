'use strict';
// A report shows one of its parts at a time: the one that the address names after its #.
(() => {
  const main = document.getElementById('main');
  const parts = new Map(); // by name: the element of the part, or the script that it is packed in
  for (const part of main.querySelectorAll(':scope > [data-part]')) parts.set(part.dataset.part, part);
  const first = parts.keys().next().value;

  // unpack makes the element of a packed part.
  const unpack = async (script) => {
    const bytes = Uint8Array.from(atob(script.textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const part = Sembra.element('article', { id: script.dataset.part, 'data-part': script.dataset.part, 'data-title': script.dataset.title });
    part.innerHTML = await new Response(stream).text(); // from our templates
    return part;
  };

  // find returns the name of a part and, if the address names an element in it, that element's id.
  const find = (fragment) => {
    if (parts.has(fragment)) return [fragment, ''];
    const part = fragment.replace(/&ply=\d+$/, '');
    if (parts.has(part)) return [part, ''];
    for (const [name, part] of parts) {
      if (part.querySelector(`#${CSS.escape(fragment)}`)) return [name, fragment];
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
      current = name;
      let part = parts.get(name);
      if (part.localName === 'script') part = await unpack(part);
      if (name !== current) return; // the reader has gone on
      main.replaceChildren(part);
      document.title = part.dataset.title;
      Sembra.refresh(main);
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
    if (id) document.getElementById(id).scrollIntoView();
  };
  main.replaceChildren();
  addEventListener('hashchange', show);
  show();
})();
