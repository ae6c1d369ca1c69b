// Run in QuickJS after KaTeX: the boxes that it draws, in fewer bytes than it writes. assets/book.css says what the
// short forms look like. NAMED are the classes that KaTeX's style names: others have no effect.

const SPACES = { "0.17em": "<s></s>", "0.22em": "<u></u>", "0.28em": "<b></b>" };
// A stack (t; with a part below its line, d), whose rows and cells the style finds by their place; two sizes.
const SHORT = {
  "vlist-t": "t", "vlist-t vlist-t2": "t d", "vlist-r": "", vlist: "", mathnormal: "",
  "sizing reset-size6 size3": "z", "sizing reset-size3 size1": "y",
};
// Those whose children, or the children of whose children, the style finds by their place.
const PLACES = ["vlist-t", "vlist-r", "vlist", "mfrac", "inner", "delim-size1", "delim-size4"];
// What lies in a cell hangs from a strut of as many ems, which the style draws; a higher one stays.
const STRUT = 5;
// A line's own height and depth, with room for rounding: a lower strut of a formula changes nothing.
const LINE = { height: 0.85, depth: 0.25 };

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);
// Hundredths of an em are less than a quarter of a pixel.
const rounded = (value) => String(value).replace(/-?\d*\.\d+(?=em)/g, (number) => String(+parseFloat(number).toFixed(2)));
const ems = (value) => parseFloat(rounded(value)) || 0;

function isLow({ height, verticalAlign }) {
  const depth = -ems(verticalAlign);
  return ems(height) - depth <= LINE.height && depth <= LINE.depth;
}

// A property of a style; nothing where it shifts by nothing.
function property([name, value]) {
  if (!value || (/^(margin|top)/.test(name) && ems(value) === 0)) return [];
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [`${kebab}:${rounded(value).replace(/(^|[^\d])0\./g, "$1.")}`];
}

function attributes(classes, style, others = {}) {
  const named = classes.filter((name) => NAMED.has(name)).join(" "), short = SHORT[named] ?? named;
  const all = { class: short, style: Object.entries(style).flatMap(property).join(";"), ...others };
  return Object.entries(all).map(([name, value]) => value && ` ${name}="${escaped(String(value))}"`).join("");
}

// `around` holds the classes of the element around this one, and of the one around that.
function markup(node, around = [[], []]) {
  if (!node.classes || node.type) return node.toMarkup().replace(' xmlns="http://www.w3.org/2000/svg"', ""); // SVG, MathML
  const is = (name) => node.classes.includes(name), style = { ...node.style };
  let children = node.children || [];
  const shifts = Object.keys(style).join();
  if (is("vlist-s") || (is("strut") && isLow(style)) || (is("mspace") && !shifts)) return "";
  if (is("mspace") && shifts === "marginRight" && rounded(style.marginRight) in SPACES) return SPACES[rounded(style.marginRight)];
  if (node.italic > 0) style.marginRight = `${node.italic}em`;
  const strut = children[0]?.classes?.includes("pstrut") && ems(children[0].style.height);
  if (strut && strut <= STRUT) {
    style.top = `${ems(style.top) + strut - STRUT}em`;
    children = children.slice(1);
  }
  const inner = escaped(node.text || "") + children.map((child) => markup(child, [node.classes, around[0]])).join("");
  const said = attributes(node.classes, style, node.attributes);
  const tag = is("mathnormal") ? "i" : is("katex-html") ? "var" : "span";
  const found = around[0].some((name) => PLACES.includes(name)) || around[1].includes("vlist");
  if (tag === "span" && !said && (!found || !inner)) return inner;
  return `<${tag}${said}>${inner}</${tag}>`;
}
