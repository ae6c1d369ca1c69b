// The characters that each of the book's own fonts is to draw, by its family, style and weight.
() => {
  const shown = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { fontFamily, fontStyle, fontWeight } = getComputedStyle(texts.currentNode.parentElement);
    const family = fontFamily.split(',')[0].replaceAll('"', '');
    if (!/^KaTeX_|^Posenc Serif$/.test(family)) continue;
    const face = `${family}-${fontWeight >= 600 ? 'Bold' : ''}${fontStyle === 'italic' ? 'Italic' : ''}`;
    shown[face] = (shown[face] ?? '') + texts.currentNode.data;
  }
  return shown;
}
