// A query and a key, turned by their positions: the score knows the difference alone, unless the conjugate is forgotten.
{
const {num} = LiveFigure, {LAST} = PairFigure;
const turned = (x, theta, m) => posenc.applyRotary(x, ...posenc.cosSin([theta], m));
// ⟨R_m q, R_n k⟩ = Re q e^(imθ) (k e^(inθ))*: without the star the score compares q with the mirror image of k
const hands = ({q, k, theta, m, n, forgotten}) => {
  const [a, b] = [turned(q, theta, m), turned(k, theta, n)];
  return [a, forgotten ? [b[0], -b[1]] : b, b];
};
const score = state => { const [a, b] = hands(state); return a[0] * b[0] + a[1] * b[1]; };
// The same two, moved along the line together.
const shifts = state => {
  const gap = state.m - state.n, all = Array.from({length: LAST + 1 - Math.abs(gap)}, (_, i) => i + Math.max(0, gap));
  return all.map(m => ({m, value: score({...state, m, n: m - gap})}));
};

const picture = state => {
  const {q, k, m, n, forgotten} = state, [a, b, before] = hands(state), fixed = v => v.toFixed(1);
  const at = (v, r) => { const scale = r / Math.hypot(...v); return [120 + scale * v[0], 112 - scale * v[1]].map(fixed); };
  const hand = (v, name, colour) => `<path class="${colour} thick" d="M120 112L${at(v, 92)}"/><text class="${colour}" x="${at(v, 105)[0]}" y="${+at(v, 105)[1] + 4}" text-anchor="middle">${name}</text>`;
  const left = a[0] * b[1] - a[1] * b[0] > 0 ? 0 : 1, Y = v => 96 - 62 * v, length = Math.hypot(...q) * Math.hypot(...k);
  const dots = shifts(state).map(({m: at, value}) => `<circle class="${at === m ? 'fill-three' : 'ink'}" cx="${fixed(40 + at * 240 / LAST)}" cy="${fixed(Y(value / length))}" r="${at === m ? 6 : 3}"/>`);
  return PairFigure.track(state, ['q', 'one'], ['k', 'two']) + `
<svg viewBox="-30 0 300 250" role="img" aria-label="A clock face with two hands, q turned ${m} times and k ${n} times${forgotten ? ', k then mirrored' : ''}"><circle class="rim" cx="120" cy="112" r="92"/>
${forgotten ? `<path class="axis" d="M16 112H224"/><path class="two dash" d="M120 112L${at(before, 92)}"/><path class="axis dash" d="M${at(before, 92)}L${at(b, 92)}"/>` : ''}
<path class="three" d="M${at(a, 40)}A40 40 0 0 ${left} ${at(b, 40)}"/>${hand(a, 'q', 'one')}${hand(b, forgotten ? 'k*' : 'k', 'two')}<text x="120" y="244" text-anchor="middle">score: cosine of the arc</text></svg>
<svg viewBox="0 0 300 250" role="img" aria-label="The scores of all pairs that stand ${Math.abs(m - n)} apart like these"><path class="axis" d="M30 96H296M30 28V164"/>
<text x="24" y="38" text-anchor="end">1</text><text x="24" y="100" text-anchor="end">0</text><text x="24" y="162" text-anchor="end">−1</text>${dots.join('')}
${[0, LAST].map(i => `<text x="${40 + i * 240 / LAST}" y="182" text-anchor="middle">${i}</text>`).join('')}<text x="163" y="16" text-anchor="middle">score</text>
<text x="163" y="202" text-anchor="middle">position m of q; k stands</text><text x="163" y="219" text-anchor="middle">${m === n ? 'beside it' : Math.abs(m - n) + (n < m ? ' before it' : ' behind it')}</text></svg>`;
};

customElements.define('two-hands', class extends PairFigure {
  static start = {m: 6, n: 2, together: false, forgotten: false};
  static hint = 'Drag q or k along the line. Tick “move both”, and the other goes with it.';
  static knobs = {...PairFigure.pair('q', 'k'), forgotten: {label: 'forget the conjugate'}};
  static picture = picture;
  static line(state) {
    const values = shifts(state).map(({value}) => value), [low, high] = [Math.min(...values), Math.max(...values)];
    return `q at ${state.m}, k at ${state.n}: the score is ${num(score(state), 3)}. Pairs at the same distance ` + (high - low < 1e-12
      ? 'all have this score, wherever they stand.' : `have scores from ${num(low, 3)} to ${num(high, 3)}: k is mirrored, so the turns add.`);
  }
});
}
