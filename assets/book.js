// Everything here is a convenience: without scripts all of the book can be read.
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

// Light, dark, or as the system has it; with code, or mathematics alone. Remembered.
for (const [name, values] of Object.entries({ theme: ["auto", "light", "dark"], code: ["shown", "hidden"] })) {
  const button = document.querySelector(`.bar button.${name}`);
  const value = () => root.dataset[name] || values[0];
  const show = () => (button.lastElementChild.textContent = value());
  button.hidden = name === "code" && !document.querySelector(".cell_input");
  show();
  button.addEventListener("click", () => {
    root.dataset[name] = localStorage[name] = values[(values.indexOf(value()) + 1) % values.length];
    show();
  });
}

// Ctrl+K, or ⌘K: to the search field, which on a phone is in a drawer.
addEventListener("keydown", (event) => {
  if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const drawer = document.getElementById("pages");
  if (getComputedStyle(drawer).display === "none") drawer.showPopover();
  drawer.querySelector("input").focus();
});

$$("[data-print]").forEach((button) => button.addEventListener("click", () => {
  root.toggleAttribute("data-proofs", button.dataset.print === "proofs");
  print();
}));

// A link into a fold opens it.
const unfold = () => {
  for (let fold = document.querySelector(":target")?.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
};
addEventListener("hashchange", unfold);
unfold();
$$(".page-toc a").forEach((link) => link.addEventListener("click", () => {
  const contents = link.closest("[popover]");
  if (contents.matches(":popover-open")) contents.hidePopover();
}));

// The list of pages starts where the reader is.
const here = document.querySelector(".bd-links .current > a");
if (here) here.setAttribute("aria-current", "page");
const list = document.querySelector(".bd-sidebar-primary");
if (here && here.offsetTop > list.clientHeight / 2) list.scrollTop = here.offsetTop - list.clientHeight / 3;

// On this page: the section in view.
const entries = new Map($$(".page-toc a").map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]));
const seen = new IntersectionObserver((changes) => {
  const now = changes.findLast((change) => change.isIntersecting);
  if (now) entries.forEach((link, section) => link.toggleAttribute("aria-current", section === now.target));
}, { rootMargin: "-10% 0px -75% 0px" });
entries.forEach((link, section) => section && seen.observe(section));

// Code can be copied, without the prompts of an example.
for (const block of $$(".bd-article div[class*=highlight-]:not(.output) > .highlight")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    const lines = block.querySelector("pre").textContent.trimEnd().split("\n");
    const typed = lines.filter((line) => /^(>>>|\.\.\.) ?/.test(line));
    const text = (typed.length ? typed : lines).map((line) => line.replace(/^(>>>|\.\.\.) ?/, "")).join("\n");
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

// Break it: what the controls show comes in a script of its own when the first is opened (tools/break_steps.py).
const steps = $$(".break");
const wrongVersions = (lists) => {
  steps.forEach((step, i) => step.insertAdjacentHTML("beforeend", lists[i]));
  reach();
};
const loadWrongVersions = () => document.head.append(Object.assign(document.createElement("script"), { src: steps[0].dataset.from }));
steps.forEach((step) => {
  step.hidden = false;
  step.addEventListener("toggle", () => step.children.length > 1 || loadWrongVersions());
});

// What scrolls can be reached and scrolled with the keyboard.
const reach = () => {
  const boxes = $$(".bd-article :is(pre, .katex-display, .calc .math, .break .wrong, .pst-scrollable-table-container, .output.text_html)");
  const wide = boxes.map((box) => box.scrollWidth > box.clientWidth);
  boxes.forEach((box, i) => (wide[i] ? box.setAttribute("tabindex", 0) : box.removeAttribute("tabindex")));
};
addEventListener("load", reach);
addEventListener("resize", reach);
addEventListener("toggle", reach, true);
