// How wide each displayed equation is, in its own ems: book.css makes the widest ones fit on paper.
addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  for (const equation of document.querySelectorAll('mjx-container[display="true"]')) {
    const width = equation.firstElementChild.getBoundingClientRect().width;
    const ems = width / parseFloat(getComputedStyle(equation).fontSize);
    equation.style.setProperty("--ems", ems.toFixed(2));
  }
});

// Paper is white.
const root = document.documentElement;
let shown;
addEventListener("beforeprint", () => { shown = root.dataset.theme; root.dataset.theme = "light"; });
addEventListener("afterprint", () => { root.dataset.theme = shown; });
