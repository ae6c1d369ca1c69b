// Of how many steps number and mark are seen, and those whose number, or mark, is beside the last line of their row.
() => {
  const middle = (e) => (e.getBoundingClientRect().top + e.getBoundingClientRect().bottom) / 2;
  const steps = [...document.querySelectorAll('.calc:has(.eqno)')].filter(e => e.checkVisibility());
  const off = steps.filter(step => {
    const number = step.querySelector('.eqno'), row = number.closest('.rest, .end').getBoundingClientRect();
    const apart = Math.abs(middle(number) - middle(step.querySelector('.tick')));
    return apart > 4 || middle(number) < row.top || middle(number) > row.bottom;
  });
  return [steps.length, off.map(step => step.id)];
}
