// The characters of words that the serif draws, upright and in italics.
() => {
  const shown = { normal: '', italic: '' };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { fontFamily, fontStyle } = getComputedStyle(texts.currentNode.parentElement);
    if (fontFamily.startsWith('"Posenc Serif"')) shown[fontStyle] += texts.currentNode.data;
  }
  return shown;
}
