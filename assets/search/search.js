// The search. MiniSearch ranks pages by how often, how near to the title, and how rare words are; of each page found, the
// section is shown that says most of them. PAGES comes with search_data.js, from tools/search_index.py.
{ // the names of book.js are others
const SMALL = new Set("a about an and are as at be by can could do does for from how i in is it its me must my of on or should that the their then there these they this to us use used using was we what when where which who why will with would you your".split(" "));
// Other words for the same, as people ask for it.
const SAME = {
  "2d": ["axes", "image"], "3d": ["axes", "video"], abs: ["absolute"], attn: ["attention"], ctx: ["context"], code: ["torch"], embedding: ["encoding"],
  extrapolation: ["length"], eq: [], equation: [], formula: ["equation"], gqa: ["grouped"], hf: ["hugging face"], huggingface: ["hugging face"], mla: ["latent"],
  pe: ["encoding"], pytorch: ["torch"], rope: ["rotary"], rotary: ["rope"], sin: ["sinusoidal"], theta: ["base"], vit: ["vision", "image"],
};
const words = (text) =>
  text.normalize("NFKC").toLowerCase().replace(/(\d),(?=\d{3})/g, "$1").match(/\p{Script=Han}|[\p{L}\p{N}]+(?:[._’'-][\p{L}\p{N}]+)*/gu) ?? [];
// Without its ending a word finds its forms; one of several parts is found by each, and without what joins them.
const stem = (word) => word.replace(/(?<=\p{L}{3})(?:ings?|e?d|e?s|e)$/u, "");
const known = new Map();
const processTerm = (word) => {
  if (!known.has(word)) {
    const parts = /^[\d.]+$/.test(word) ? [word] : word.split(/[._’'-]/);
    known.set(word, [...new Set([parts.join(""), ...parts])].filter((part) => !SMALL.has(part) && !/^[a-z]?$/.test(part)).map(stem));
  }
  return known.get(word);
};

const index = new MiniSearch({ fields: ["title", "headings", "text"], tokenize: words, processTerm });
index.addAll(PAGES.map(([, sections], id) => ({
  id,
  title: sections[0].heading,
  headings: sections.slice(1).map(({ heading }) => heading).join(" . "),
  text: sections.map(({ text }) => text).join(" "),
})));

const OPTIONS = {
  boost: { title: 6, headings: 2 },
  prefix: (term) => term.length > 3,
  fuzzy: (term) => term.length > 6 && 0.15,
  weights: { prefix: 0.3, fuzzy: 0.1 },
  boostDocument: (id) => (PAGES[id][0].includes("/reference/") ? 0.4 : 1),
};
// Each page found, best first, and the section of it to show; the number or label of an equation leads to it, a name of the library, too.
const find = (asked) => {
  const wanted = words(asked).filter((word) => !SMALL.has(word));
  const tree = wanted.map((word) => ({ combineWith: "OR", queries: [word, ...(SAME[word] ?? []).map((same) => ({ combineWith: "AND", queries: words(same) }))] }));
  const all = index.search({ combineWith: "AND", queries: tree }, OPTIONS);
  const found = all.length ? all : index.search({ combineWith: "OR", queries: tree }, OPTIONS);
  const meant = PAGES.flatMap(([address, sections]) => sections.flatMap(({ id, heading, text, numbers }) =>
    wanted.map((word) => [word, numbers[word] ?? Object.values(numbers).find((at) => at.toLowerCase() === `equation-${word}`) ?? (word.includes("_") && id.endsWith(`.${word}`) && id)]).filter(([, target]) => target)
      .map(([word, target]) => ({ address: `${address}#${target}`, title: target === id ? heading : `(${word}) in ${heading}`, text, said: () => 0, terms: [] }))));
  return [...meant, ...found.map(({ id, terms }) => {
    const [address, sections] = PAGES[id];
    const said = (text) => new Set(words(text).flatMap(processTerm).filter((term) => terms.includes(term))).size;
    const worth = sections.map((section) => 3 * said(section.heading) + said(section.text));
    const best = sections[worth.indexOf(Math.max(...worth))];
    const own = best === sections[0] ? "" : ` › ${best.heading}`;
    return { address: `${address}#${best.id}`, title: sections[0].heading + own, text: best.text || sections.map(({ text }) => text).join(" "), said, terms };
  })];
};

// The sentence that says most of the words.
const excerpt = ({ text, said, terms }) => {
  const sentences = text.match(/\S.*?[.?!。？！](?=\s|$)/gs) ?? [text];
  const best = sentences.reduce((best, sentence) => (said(sentence) > said(best) ? sentence : best));
  const at = Math.max(0, Math.min(...terms.map((term) => best.toLowerCase().indexOf(term)).filter((place) => place >= 0)) - 100) || 0;
  return best.length > 300 ? best.slice(at, at + 300) + " …" : best; // of a table a part
};

// On the page, as it is typed.
const field = document.querySelector("main input"), summary = document.querySelector("#search-summary"), list = document.querySelector("#search-results");
const make = (name, properties, ...parts) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
  return made;
};
const show = () => {
  const asked = field.value.trim(), found = asked ? find(asked) : [];
  summary.textContent = !asked ? "" : found.length ? `${found.length} found` : "Nothing found. Fewer or other words may help.";
  list.replaceChildren(...found.slice(0, 30).map((hit) =>
    make("li", {}, make("a", { href: hit.address, textContent: hit.title }), make("p", { className: "context", textContent: excerpt(hit) }))));
};
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", show);
show();
}
