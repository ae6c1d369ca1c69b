// How many links in a table have a comma behind them, and those whose comma begins the next line.
() => {
  const all = [...document.querySelectorAll('.bd-article td a')].filter(e => e.nextSibling?.data?.startsWith('、'));
  return [all.length, all.filter(e => {
    const comma = document.createRange();
    comma.setStart(e.nextSibling, 0);
    comma.setEnd(e.nextSibling, 1);
    return comma.getBoundingClientRect().left < [...e.getClientRects()].at(-1).right - 3;
  }).map(e => e.parentElement.textContent.slice(0, 40))];
}
