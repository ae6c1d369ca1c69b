// Everything here is a convenience: without scripts all of the book can be read.
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

// Light, dark, or as the system has it; with code, or mathematics alone. Remembered.
for (const [name, values] of Object.entries({ theme: ["auto", "light", "dark"], code: ["shown", "hidden"] })) {
  const button = document.querySelector(`.bar button.${name}`);
  if (!button) continue; // a page without code
  const value = () => root.dataset[name] || values[0];
  const show = () => (button.lastElementChild.textContent = value());
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

// Who follows a link to an equation cites that.
const cite = document.querySelector(".cite");
const told = cite?.querySelector("pre").textContent;
cite?.addEventListener("toggle", () => {
  const number = /^#equation-/.test(location.hash) && document.getElementById(location.hash.slice(1))?.querySelector(".eqno").textContent;
  const one = number ? told.replace(/\.html/, `$&${location.hash}`).replace(/\n}$/, `,\n  note = {Equation ${number}}$&`) : told;
  cite.querySelector("pre").textContent = one;
});

// The list of pages starts where the reader is; on a phone, whenever its drawer opens.
const here = document.querySelector(".bd-links .current > a");
if (here) here.setAttribute("aria-current", "page");
const list = document.querySelector(".bd-sidebar-primary");
const toHere = () => {
  if (here && here.offsetTop > list.clientHeight / 2) list.scrollTop = here.offsetTop - list.clientHeight / 3;
};
new ResizeObserver(toHere).observe(list); // it has a size only after the page's own layout, or in its open drawer

// On this page: the section in view.
const entries = new Map($$(".page-toc a").map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]));
const inView = new Set();
const seen = new IntersectionObserver((changes) => {
  changes.forEach(({ isIntersecting, target }) => inView[isIntersecting ? "add" : "delete"](target));
  const now = [...entries.keys()].findLast((section) => inView.has(section));
  if (now) entries.forEach((link, section) => link.toggleAttribute("aria-current", section === now));
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

// Break it: what the controls show, and what a slip writes into a formula, comes in a script of its own when the first
// is asked for (tools/break_steps.py).
const steps = $$(".break");
let wrongVersions, asked;
const slipsOf = async (step) => {
  asked ??= new Promise((come) => {
    wrongVersions = (lists) => {
      steps.forEach((step, i) => step.insertAdjacentHTML("beforeend", lists[i].list));
      $$(".break :is(.wrong, p)").forEach((box) => reach.observe(box));
      come(lists);
    };
    document.head.append(Object.assign(document.createElement("script"), { src: steps[0].dataset.from }));
  });
  return (await asked)[steps.indexOf(step)].slips;
};

// A tap on a place flips it, and its row says where it fails; another tap, there or elsewhere, puts it right.
const right = new Map();
const name = (place) => (place.ariaLabel = `${place.matches(".slip") ? "Mend" : "Break"} it: ${place.textContent}`);
const flip = async (place, calc, step) => {
  const [html, fails] = (await slipsOf(step))[place.dataset.slip];
  const here = right.get(calc)?.() === place;
  right.delete(calc);
  if (here) return;
  const row = place.closest(".rest"), mark = calc.querySelector(".story > summary");
  const parts = [place, row, row.previousElementSibling, calc], was = [place.innerHTML, mark.innerHTML];
  const said = Object.assign(document.createElement("p"), { className: "fails", role: "status" });
  row.append(said);
  reach.observe(said);
  parts.forEach((part) => part.classList.add("slip"));
  [place.innerHTML, mark.innerHTML, said.innerHTML] = [html, '<span class="tick">✘</span><span class="word">refuted</span>', fails];
  name(place);
  right.set(calc, () => {
    said.remove();
    parts.forEach((part) => part.classList.remove("slip"));
    [place.innerHTML, mark.innerHTML] = was;
    name(place);
    return place;
  });
};

// Where the story is open the places are buttons; beside them what is drawn stays silent.
const silence = (drawn) => {
  drawn.removeAttribute("aria-hidden");
  for (const part of [...drawn.childNodes]) {
    if (part.dataset?.slip) continue;
    if (part.querySelector?.("[data-slip]")) silence(part);
    else if (part.nodeType === Node.ELEMENT_NODE) part.ariaHidden = true;
    else part.replaceWith(Object.assign(document.createElement("span"), { textContent: part.data, ariaHidden: true }));
  }
};
for (const step of steps) {
  step.hidden = false;
  step.addEventListener("toggle", () => slipsOf(step));
  const calc = step.closest(".calc"), places = $$(".body [data-slip]", calc);
  calc.classList.add("breakable");
  calc.addEventListener("click", ({ target }) => places.forEach((place) => place.contains(target) && flip(place, calc, step)));
  calc.addEventListener("keydown", (event) => {
    if (!places.includes(event.target) || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    flip(event.target, calc, step);
  });
  step.closest(".story").addEventListener("toggle", ({ target }) => {
    $$(".body [aria-hidden]:has([data-slip])", calc).forEach(silence);
    places.forEach((place) => Object.assign(place, { role: "button", tabIndex: target.open ? 0 : -1 }));
    places.forEach(name);
  });
}

// What scrolls can be reached and scrolled with the keyboard. A box inside a closed fold has no size until that opens.
const boxes = $$(".bd-article :is(pre, .katex-display, .calc.own > .lhs, .calc .body, .flow, .pst-scrollable-table-container, .output.text_html)");
const reach = new ResizeObserver((changes) => {
  const wide = changes.map(({ target }) => target.scrollWidth > target.clientWidth + 1); // sizes are rounded
  changes.forEach(({ target }, i) => (wide[i] ? target.setAttribute("tabindex", 0) : target.removeAttribute("tabindex")));
});
document.fonts.ready.then(() => boxes.forEach((box) => reach.observe(box)));

// What an equation, or an entry of the bibliography, says: shown beside its number while that is pointed at or in focus.
const preview = Object.assign(document.createElement("div"), { className: "preview bd-article", popover: "manual", id: "preview" });
preview.setAttribute("role", "tooltip");
root.querySelector("body").append(preview);
const read = {};
const meant = async ({ pathname, hash, href }) => {
  const id = decodeURIComponent(hash.slice(1));
  if (pathname === location.pathname) return document.getElementById(id);
  if (location.protocol === "file:") return null; // where no page may read another
  read[pathname] ??= fetch(href).then((answer) => answer.text()).then((html) => new DOMParser().parseFromString(html, "text/html"));
  return (await read[pathname]).getElementById(id);
};
let pointed, waiting;
const later = (link) => {
  clearTimeout(waiting);
  waiting = setTimeout(() => show(link), 250);
};
const show = async (link) => {
  const found = link && (await meant(link))?.closest(".calc, .citation, .math");
  pointed?.removeAttribute("aria-describedby");
  pointed = found ? link : null;
  if (!found) return preview.hidePopover();
  preview.innerHTML = found.outerHTML.replace(/ id="[^"]*"/g, "");
  $$("details, .eqno", preview).forEach((part) => part.remove());
  link.setAttribute("aria-describedby", "preview");
  preview.showPopover();
  const at = link.getBoundingClientRect(), { width, height } = preview.getBoundingClientRect();
  preview.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 24))}px`;
  preview.style.top = `${at.top > height + 12 ? at.top - height - 6 : at.bottom + 6}px`;
};
for (const link of $$('.bd-article a[href*="#equation-"]:not(.eqno), .bd-article a[href*="references.html#"]')) {
  link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && later(link));
  link.addEventListener("pointerleave", () => later(null));
  link.addEventListener("focus", () => link.matches(":focus-visible") && later(link));
  link.addEventListener("blur", () => later(null));
}
preview.addEventListener("pointerenter", () => clearTimeout(waiting)); // it stays while it is pointed at, and Escape closes it
preview.addEventListener("pointerleave", () => later(null));
addEventListener("keydown", (event) => event.key === "Escape" && later(null));
addEventListener("scroll", () => preview.hidePopover(), { passive: true });
