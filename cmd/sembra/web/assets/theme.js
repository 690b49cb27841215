'use strict';
// Sets the colours that the reader has chosen, before the page is drawn.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('sembra-theme');
  } catch { /* the browser keeps nothing */ }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  document.documentElement.classList.add('scripted');
})();
