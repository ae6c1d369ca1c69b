// What a reader could not see or read on a page, at this width and colour scheme: a list of words.
() => {
  const found = [], article = document.querySelector('.bd-article') ?? document.body;
  const text = e => (e.getAttribute('aria-label') || e.textContent).trim().slice(0, 60);
  const name = e => `<${e.tagName.toLowerCase()}> "${text(e)}"`;
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth + 1)
    found.push(`the page is ${page.scrollWidth} px wide in a window of ${page.clientWidth} px`);
  const paper = matchMedia('print').matches;  // where nothing scrolls
  const scrolls = s => !paper && (s === 'auto' || s === 'scroll');
  const cuts = s => s === 'hidden' || s === 'clip' || (paper && s !== 'visible');

  const drawn = '.katex-html .base, :not(.katex-mathml) > math';
  for (const e of article.querySelectorAll(`${drawn}, table, figure, svg, img, pre`)) {
    const box = e.getBoundingClientRect();
    if (!box.width || e.closest('button')) continue;
    for (let up = e.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up), edge = up.getBoundingClientRect();
      if (scrolls(style.overflowX) && up !== page && up !== document.body) break;
      const outside = box.right > edge.right + 2 || box.left < edge.left - 2;
      if (cuts(style.overflowX) && outside) { found.push(`${name(e)} is cut off at the side`); break; }
      if (up === page && box.right > page.clientWidth + 1) found.push(`${name(e)} reaches past the window`);
    }
  }
  for (const e of paper ? article.querySelectorAll('pre') : [])
    if (e.scrollWidth > e.clientWidth + 1) found.push(`${name(e)} is cut off at the side`);
  for (const e of article.querySelectorAll('.katex-display, span.math')) {
    const boxes = [...e.querySelectorAll(drawn)].map(base => base.getBoundingClientRect());
    const bases = boxes.filter(box => box.width);
    if (!bases.length) continue;
    const box = e.getBoundingClientRect();
    const above = box.top - Math.min(...bases.map(ink => ink.top));
    const below = Math.max(...bases.map(ink => ink.bottom)) - box.bottom;
    const display = e.matches('.katex-display');
    if (display && cuts(getComputedStyle(e).overflowY) && (above > 1 || below > 1))
      found.push(`${name(e)} is cut off above or below`);
    const ink = Math.max(...bases.map(base => base.right)) - Math.min(...bases.map(base => base.left));
    const { width, paddingLeft, paddingRight } = getComputedStyle(e);  // width: auto in a line
    const room = parseFloat(width) - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (ink <= room && e.offsetHeight - e.clientHeight > 3)
      found.push(`${name(e)} has a scrollbar, though it fits`);
  }
  const all = selector => article.querySelectorAll(selector);
  for (const e of all('.katex svg')) {
    const room = e.parentElement.getBoundingClientRect();
    if (room.height && e.getBoundingClientRect().height < 0.9 * room.height)
      found.push(`a root or brace is not drawn in ${name(e.closest('.katex'))}`);
  }
  for (const e of all('.math:not(:has(math, .katex-html))')) found.push(`not typeset: ${name(e)}`);
  for (const e of all('.math [tabindex]:not(.katex-display, [role=button]), .math[tabindex]'))
    if (e.scrollWidth <= e.clientWidth) found.push(`a tab stop: ${name(e)}`);
  const code = [...article.querySelectorAll('pre')];
  const typed = code.reduce((rest, e) => rest.replace(e.innerText, ''), article.innerText);
  if (typed.match(/\\[([]|\\begin\{/)) found.push('TeX is left in the text');
  for (const e of all('img:not([alt]), img[alt=""]')) found.push(`no alt text: ${e.src}`);

  // axe does not look at what SVG is filled with
  const rgb = c => (c.match(/[\d.]+/g) || []).map(v => c.startsWith('color') ? 255 * v : +v);  // a mixed one: 0 to 1
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = rgb(c).map(linear); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  for (const e of all('figure.plot svg text')) {
    if (!e.getBoundingClientRect().width) continue;  // the still figure behind a live one keeps old colours in WebKit
    let under = e, colour = '';
    for (; under && (!colour || rgb(colour)[3] === 0); under = under.parentElement)
      colour = getComputedStyle(under).backgroundColor;
    const [a, b] = [light(getComputedStyle(e).fill), light(colour)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${name(e)} has contrast ${ratio.toFixed(1)}, needs 4.5`);
  }

  // Letters of drawings: 7 points on paper, 10 px on a phone, in proportion on a narrower one; inside, and apart.
  const least = paper ? 28 / 3 : Math.min(10, innerWidth / 39);
  for (const drawing of all('figure.plot svg')) {
    const room = drawing.getBoundingClientRect(), placed = [];
    for (const e of room.width ? drawing.querySelectorAll('text') : []) {
      const box = e.getBoundingClientRect(), { a, b } = e.getScreenCTM();
      const sizes = [e, ...e.querySelectorAll('tspan')].map(part => parseFloat(getComputedStyle(part).fontSize));
      const size = Math.hypot(a, b) * Math.min(...sizes);
      if (!e.textContent.trim() || !box.width) continue;
      if (size < least - 0.05) found.push(`${name(e)} is ${size.toFixed(1)} px high, needs ${least.toFixed(1)}`);
      const out = Math.max(room.left - box.left, box.right - room.right, room.top - box.top, box.bottom - room.bottom);
      if (out > 2) found.push(`${name(e)} reaches past its drawing`);
      for (const [other, its] of placed) {
        const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        if (Math.min(wide, high) > size / 5) found.push(`${name(e)} and ${name(other)} lie on each other`);
      }
      placed.push([e, box]);
    }
  }
  return [...new Set(found)];
}
