// Of a displayed formula, or of the widest part of a row that stays whole, the known width and the drawn one.
() => [...document.querySelectorAll('div.math[style]')].map(e => {
  const size = parseFloat(getComputedStyle(e.querySelector('.katex')).fontSize);
  const bases = [...e.querySelectorAll('.base')].map(base => base.getBoundingClientRect());
  const drawn = e.closest('.calc') ? Math.max(...bases.map(base => base.width))
    : Math.max(...bases.map(base => base.right)) - Math.min(...bases.map(base => base.left));
  return [parseFloat(e.style.getPropertyValue('--ems')), drawn / size];
})
