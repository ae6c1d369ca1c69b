// Of each note in the margin that is drawn: its words, its box, and that of the paragraph beside it.
() => [...document.querySelectorAll('.margin')].filter(e => e.checkVisibility()).map(e => {
  const box = part => part.getBoundingClientRect().toJSON();
  let beside = e.nextElementSibling;
  while (beside.matches('.margin')) beside = beside.nextElementSibling;
  e.scrollIntoView();
  return [e.textContent.trim(), box(e), box(beside)];
})
