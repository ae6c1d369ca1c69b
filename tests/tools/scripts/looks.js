// Marks words for axe to measure: of those that look alike, on the same ground, the first three. Words that are placed
// apart from the flow of the page may lie on anything and are alike only within what is placed.
() => {
  const grounds = new Map([[null, '']]);
  const ground = e => {
    if (!grounds.has(e)) {
      const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(e);
      const apart = ['absolute', 'fixed', 'sticky'].includes(position) ? grounds.size : '';
      const own = `${[backgroundColor, backgroundImage, opacity, filter, apart]};`;
      const behind = ground(e.parentElement);
      grounds.set(e, own === 'rgba(0, 0, 0, 0),none,1,none,;' ? behind : behind + own);
    }
    return grounds.get(e);
  };
  const looks = {};
  for (const e of document.querySelectorAll('body, body *')) {
    e.removeAttribute('data-look');
    const said = [...e.childNodes].some(part => part.nodeType === 3 && part.data.trim().length > 1);
    const { width, height } = e.getBoundingClientRect();
    if (!(said && width > 1 && height > 1 && e.checkVisibility()) && !e.matches('input, select, textarea')) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(e);
    const look = [e.closest(':disabled, [aria-disabled]') && 'off', color, fontSize, fontWeight, textShadow, ground(e)];
    looks[look] = 1 + (looks[look] ?? 0);
    if (looks[look] <= 3 || e.matches('input, select, textarea')) e.setAttribute('data-look', '');
  }
}
