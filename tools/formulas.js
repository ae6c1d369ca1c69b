// Run in QuickJS after KaTeX and markup.js: a formula as HTML, or as MathML, with its width.

const SIZES = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488]; // of .size1 to .size11 in katex.min.css

const length = (value) => parseFloat(value) || 0;
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const outside = (style) => sum([style.marginLeft, style.marginRight, style.paddingLeft, style.paddingRight].map(length));

const leaves = (node) => (node.text === undefined ? (node.children || []).flatMap(leaves) : [node]);
const letters = { " ": 0.25, "\u00a0": 0.25 };
function letter(character) {
  if (!(character in letters)) {
    try {
      letters[character] = leaves(katex.__renderToDomTree(`\\text{${character}}`, { output: "html" }))[0].width;
    } catch {
      letters[character] = 0.5; // what text may not hold
    }
  }
  return letters[character];
}

// KaTeX joins neighbours, such as "cos", and keeps the first one's width.
const written = ({ text, width = 0, italic = 0 }) => sum([width, ...[...text].slice(1).map(letter), italic]);

// In ems of the formula's own size: what katex.min.css makes of the tree, without a browser.
function width(node) {
  const classes = node.classes || [], style = node.style || {}, has = (name) => classes.includes(name);
  if (["strut", "pstrut", "vlist-s", "rlap", "llap", "clap"].some(has)) return 0;
  if (has("accent-body") && !has("accent-full")) return 0;
  const size = (prefix) => classes.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  const scale = size("reset-size") ? SIZES[size("size") - 1] / SIZES[size("reset-size") - 1] : 1;
  if (has("nulldelimiter")) return 0.12 * scale;
  if (node.text !== undefined) return written(node) + outside(style);
  const inner = (node.children || []).map(width);
  const widest = has("vlist") ? Math.max(0, ...inner) : sum(inner);
  return outside(style) + Math.max(length(style.width), length(style.minWidth), scale * widest);
}

// What the checker marks in a wrong version of a row; assets/book.css draws a box around what is red.
// And a place of the right row that a slip changes, with the slip's number.
const macros = { "\\wrong": "\\textcolor{red}{#1}", "\\place": "\\htmlData{slip=#1}{#2}" };
const allowed = { trust: ({ command }) => command === "\\htmlData", strict: (about) => (about === "htmlExtension" ? "ignore" : "warn") };

const isDrawing = (node) => node.classes?.includes("katex-html");

// The name of an operator comes with a sign that is not seen: in a script, where one is expected, they are a row.
const TAKE_SOME = ["msub", "msup", "msubsup", "munder", "mover", "munderover", "mfrac", "mroot"];
function inRows(node) {
  for (const [k, child] of (node.children || []).entries()) {
    inRows(child);
    if (TAKE_SOME.includes(node.type) && !child.type)
      node.children[k] = Object.assign(Object.create(node), { type: "mrow", attributes: {}, classes: [], children: child.children });
  }
}

// [widest part that cannot be broken, width, HTML], or [-1, -1, what KaTeX refuses]. Who measures asks for no HTML.
function typeset(told, displayMode, mathml, measures) {
  const tex = told.replace(/(\}|\\[dt]?frac *(?:\w|\\[a-zA-Z]+ *))(\\(?:wrong|place\{\d+\})\{\w+\})/g, "$1{$2}"); // the 4 of \frac{a}4 and of \frac a4 is one sign, a mark is not
  const output = measures ? "html" : mathml ? "mathml" : "htmlAndMathml";
  try {
    const tree = katex.__renderToDomTree(tex, { displayMode, output, macros, ...allowed, throwOnError: true });
    inRows(tree);
    const drawn = [tree, ...tree.children].flatMap((node) => node.children || []).find(isDrawing);
    const parts = drawn ? drawn.children.map(width) : [0];
    return JSON.stringify([Math.max(...parts), sum(parts), measures ? "" : mathml ? tree.toMarkup() : markup(tree)]);
  } catch (refused) {
    return JSON.stringify([-1, -1, refused.message]);
  }
}
