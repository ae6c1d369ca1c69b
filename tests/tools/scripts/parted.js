// Punctuation that stands in another line than the end of its formula, in elements that hold both.
() => {
  const all = [...document.querySelectorAll('.bd-article .together')];
  const held = all.filter(e => e.lastChild.nodeType === 3);
  return [held.length, held.filter(e => {
    const sign = document.createRange();
    sign.selectNodeContents(e.lastChild);
    const ends = [...e.querySelectorAll('.base')].map(base => base.getBoundingClientRect().right);
    return sign.getBoundingClientRect().left < Math.max(...ends) - 3;
  }).map(e => e.parentElement.textContent.slice(0, 40))];
}
