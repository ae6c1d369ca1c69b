// Of each letter and line: what it is, its font, and where, in ems from the line's begin.
() => [...document.querySelectorAll('p')].map(p => {
  const ems = parseFloat(getComputedStyle(p.querySelector('.katex')).fontSize), found = [];
  const { left, bottom } = p.querySelector('.line').getBoundingClientRect();
  const add = (what, box, ...more) =>
    found.push([what, ...more, [box.left - left, box.bottom - bottom, box.width].map(x => x / ems)]);
  const texts = document.createTreeWalker(p.querySelector('.katex-html'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode, style = getComputedStyle(parentElement);
    for (let i = 0; i < data.length; i++) {
      const letter = document.createRange();
      letter.setStart(texts.currentNode, i);
      letter.setEnd(texts.currentNode, i + 1);
      const box = letter.getBoundingClientRect();
      if (data[i] !== '\u200b') add(data[i], box, style.fontFamily, style.fontStyle);
    }
  }
  for (const e of p.querySelectorAll('.base, .frac-line, .overline-line, svg'))
    add(e.tagName, e.getBoundingClientRect());
  return found;
})
