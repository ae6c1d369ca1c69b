// What a page asks of a reader; lengths are in screens, `first` is how far down the first picture begins.
// Folds are closed, but for `open`, and code is hidden, but for `code` and `open`.
() => {
  const root = document.documentElement, article = document.querySelector('.bd-article');
  const folds = [...article.querySelectorAll('details')];
  const all = selector => [...article.querySelectorAll(selector)].filter(e => e.checkVisibility());
  const opened = folds.map(fold => fold.open);
  const inScreens = pixels => Math.round(10 * pixels / innerHeight) / 10;
  const height = () => inScreens(article.getBoundingClientRect().height);
  folds.forEach(fold => { fold.open = false });
  root.dataset.code = 'hidden';
  const pictures = all('figure, .output img');
  const text = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (text.nextNode()) {
    const seen = text.currentNode.parentElement;
    if (!seen.closest('.katex, svg, pre, script') && seen.checkVisibility())
      words += text.currentNode.data.split(/\s+/).filter(word => /\w/.test(word)).length;
  }
  const measured = {
    screens: height(), words, pictures: pictures.length,
    rows: all('.calc .rest, div.math:not(.calc div)').length,
    first: pictures.length ? inScreens(pictures[0].getBoundingClientRect().top + scrollY) : null,
    exercises: all('p > strong:first-child:has(+ em)').filter(e => /^\d+\.$/.test(e.textContent)).length,
  };
  root.dataset.code = 'shown';
  measured.code = height();
  measured.lines = all('.cell_input pre')
    .reduce((sum, block) => sum + block.textContent.trimEnd().split('\n').length, 0);
  folds.forEach(fold => { fold.open = true });
  measured.open = height();
  folds.forEach((fold, i) => { fold.open = opened[i] });
  return measured;
}
