// Letters outside their drawing, and letters on letters.
() => { const found = [];
  for (const drawing of document.querySelectorAll('.live-picture > svg')) {
    const edge = drawing.getBoundingClientRect(), boxes = [];
    for (const text of drawing.querySelectorAll('text')) {
      const box = text.getBoundingClientRect(), name = text.textContent;
      const aside = box.left < edge.left - 1 || box.right > edge.right + 1;
      if (aside || box.top < edge.top - 1 || box.bottom > edge.bottom + 1) found.push(`cut: ${name}`);
      if (box.height < 9) found.push(`tiny: ${name}`);
      boxes.push([box, name]);
    }
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    boxes.forEach(([a, one], i) => boxes.slice(i + 1).forEach(([b, two]) => {
      if (meet(a, b)) found.push(`${one} on ${two}`);
    }));
  }
  return found; }
