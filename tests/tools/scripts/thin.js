// Takes out what axe need not look at, and could not in reasonable time: all formulas but the first ten, and of rows, list items, folds, lines of formulas and places of a drawing that are built of the same parts, and of the colours of words in code, all but the first three.
() => {
  for (const kind of ['.katex', 'math']) for (const e of [...document.querySelectorAll(kind)].slice(10)) e.replaceChildren('x');
  document.querySelectorAll('svg :is(use, path)').forEach(e => e.remove());
  // where a list is scrolled beneath the search field, one link is cut, as at any edge of a list: not a fault
  document.querySelector('.bd-sidebar-primary')?.scrollTo(0, 0);
  const part = e => {
    const { width, height } = e.getBoundingClientRect();
    return [e.localName, e.getAttribute('class'), e.getAttributeNames(), !e.textContent.trim(), width < 24, height < 24].join(' ');
  };
  const seen = {};
  const every = [...document.querySelectorAll('.bd-article :is(tr, li, details, .flow, .sd-card-text, svg a), pre span, dt.sig span')];
  const kinds = every.map(e => [...new Set([e.parentElement, e, ...e.querySelectorAll('*')].map(part))].sort().join());
  every.forEach((e, k) => {
    seen[kinds[k]] = e.isConnected + (seen[kinds[k]] ?? 0);
    if (seen[kinds[k]] > 3) e.replaceWith(...(e.localName === 'span' ? e.childNodes : []));
  });
}
