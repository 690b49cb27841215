// Charts: a name in the legend shows its line.
Sembra.begin('.legend li[data-line]', (item) => {
  const line = item.closest('figure').querySelector(`polyline[data-line="${item.dataset.line}"]`);
  const mark = (on) => line.classList.toggle('on', on);
  item.addEventListener('mouseenter', () => mark(true));
  item.addEventListener('mouseleave', () => mark(false));
  item.addEventListener('focusin', () => mark(true));
  item.addEventListener('focusout', () => mark(false));
});
