// Two tokens at two positions, and the parts of f(x + p_m, y + p_n); dashed, the parts when the tokens change places.
{
const {num} = LiveFigure;
const ROWS = [['f(x, y)', 'no positions'], ['order 1', 'each token alone'], ['order 2', 'each token alone'], ['cross term', 'the two together'], ['the rest', 'order 3 and on']];

// The five parts of f with x at m and y at n, where p_m = ε (sin mθ, cos mθ).
const parts = ({m, n, size, x, y, theta, bilinear, direction}) => {
  const p = at => posenc.sinusoidalOf([theta], at).map(v => v * size);
  return posenc.orders(x, y, p(m), p(n), bilinear, direction);
};
const both = state => [parts(state), parts({...state, m: state.n, n: state.m})];

const picture = state => {
  const [now, swapped] = both(state), most = Math.max(.2, ...[...now, ...swapped].map(Math.abs)), fixed = v => v.toFixed(1);
  const bar = (kind, v, y, height) => { const end = 205 + 92 * v / most; return `<rect class="${kind}" x="${fixed(Math.min(end, 205))}" y="${y}" width="${fixed(Math.abs(end - 205))}" height="${height}"/>`; };
  const rows = ROWS.map(([name, told], i) => {
    const y = 30 + 42 * i, cross = i === 3 ? ' class="two"' : '';
    return `<text${cross} x="0" y="${y + 11}">${name}</text><text class="small" x="0" y="${y + 27}">${told}</text>${bar(cross ? 'fill-two' : 'fill-one', now[i], y, 14)}${bar('hollow', swapped[i], y + 16, 12)}
<text${cross} x="358" y="${y + 19}" text-anchor="end">${num(swapped[i] - now[i], 3)}</text>`;
  });
  return PairFigure.track(state, ['x', 'one'], ['y', 'three']) + `
<svg class="wide" viewBox="0 0 360 242" role="img" aria-label="Bars for the five parts of f, as the tokens stand and exchanged"><path class="axis" d="M205 26V240"/>
<text x="0" y="14">full: as they stand; dashed: exchanged</text><text x="358" y="14" text-anchor="end">change</text>${rows.join('')}</svg>`;
};

customElements.define('swap-tokens', class extends PairFigure {
  static start = {m: 2, n: 5, size: .5, together: false};
  static hint = 'Drag x or y along the line. Tick “move both”, and the other goes with it.';
  static knobs = {...PairFigure.pair('x', 'y'), size: {label: 'size ε of p', min: .05, max: 1, step: .05, show: v => num(v)}, swap: {label: 'swap the tokens', to: ({m, n}) => ({m: n, n: m})}};
  static picture = picture;
  static line(state) {
    const [now, swapped] = both(state), [, one, alone, cross, rest] = swapped.map((v, i) => v - now[i]);
    return `Exchanging the tokens changes f by ${num(one + alone + cross + rest, 3)}: ${num(one + alone, 3)} of it from terms of one token alone, `
      + `${num(cross, 3)} from the cross term, ${num(rest, 3)} from higher orders. The change of the cross term depends on m − n = ${num(state.m - state.n, 0)} alone.`;
  }
});
}
