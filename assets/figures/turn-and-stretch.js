// A query and a key that turn and stretch at each step: the score knows the difference alone if the key undoes the stretch.
{
const {num} = LiveFigure, {LAST} = PairFigure, ALL = Array.from({length: LAST + 1}, (_, i) => i);
// x e^((σ + iθ)m)
const moved = (x, theta, sigma, m) => posenc.applyRotary(x, ...posenc.cosSin([theta], m).map(([part]) => [part * Math.E ** (sigma * m)]));
const query = ({q, theta, sigma}, m) => moved(q, theta, sigma, m);
const key = ({k, theta, sigma, undone}, n) => moved(k, theta, undone ? -sigma : 0, n);
const score = state => { const [a, b] = [query(state, state.m), key(state, state.n)]; return a[0] * b[0] + a[1] * b[1]; };
// The same two, moved along the line together.
const shifts = state => ALL.filter(m => m - state.m + state.n in ALL).map(m => ({m, value: score({...state, m, n: m - state.m + state.n})}));

const picture = state => {
  const {m, n} = state, fixed = v => v.toFixed(1), at = (v, more = 0) => {
    const long = Math.hypot(...v), scale = 38 + more / long;
    return [fixed(120 + scale * v[0]), fixed(112 - scale * v[1])];
  };
  const way = (place, now, name, colour) => ALL.map(i => { const [x, y] = at(place(state, i)); return `<circle class="ink" cx="${x}" cy="${y}" r="2"/>`; }).join('')
    + `<path class="${colour} thick" d="M120 112L${at(place(state, now))}"/><text class="${colour}" x="${at(place(state, now), 12)[0]}" y="${+at(place(state, now), 12)[1] + 4}" text-anchor="middle">${name}</text>`;
  const Y = v => 96 - 27 * v, dots = shifts(state).map(({m: place, value}) =>
    `<circle class="${place === m ? 'fill-three' : 'ink'}" cx="${fixed(40 + place * 240 / LAST)}" cy="${fixed(Y(value))}" r="${place === m ? 6 : 3}"/>`);
  return PairFigure.track(state, ['q', 'one'], ['k', 'two']) + `
<svg viewBox="-30 0 300 250" role="img" aria-label="A query after ${m} steps and a key after ${n}, on the ways of their tips"><circle class="rim" cx="120" cy="112" r="38"/>
${way(key, n, 'k', 'two')}${way(query, m, 'q', 'one')}<text x="120" y="244" text-anchor="middle">${state.undone ? 'k stretches by −σ' : 'k keeps its length'}</text></svg>
<svg viewBox="0 0 300 250" role="img" aria-label="The scores of all pairs that stand ${Math.abs(m - n)} apart like these"><path class="axis" d="M30 96H296M30 28V164"/>
<text x="24" y="${Y(2) + 4}" text-anchor="end">2</text><text x="24" y="100" text-anchor="end">0</text><text x="24" y="${Y(-2) + 4}" text-anchor="end">−2</text>${dots.join('')}
${[0, LAST].map(i => `<text x="${40 + i * 240 / LAST}" y="182" text-anchor="middle">${i}</text>`).join('')}<text x="163" y="16" text-anchor="middle">score</text>
<text x="163" y="202" text-anchor="middle">position m of q; k stands</text><text x="163" y="219" text-anchor="middle">${m === n ? 'beside it' : Math.abs(m - n) + (n < m ? ' before it' : ' behind it')}</text></svg>`;
};

customElements.define('turn-and-stretch', class extends PairFigure {
  static start = {m: 6, n: 2, together: false, undone: true};
  static hint = 'Drag q or k along the line; tick “move both”, and the other goes with it. Then let k keep its length.';
  static knobs = {...PairFigure.pair('q', 'k'), sigma: {label: 'σ, by which q stretches at each step', min: -0.08, max: 0.08, step: 0.01, show: v => num(v)}, undone: {label: 'k undoes the stretch'}};
  static picture = picture;
  static line(state) {
    const values = shifts(state).map(({value}) => value), [low, high] = [Math.min(...values), Math.max(...values)];
    const [long, other] = [query(state, state.m), key(state, state.n)].map(v => num(Math.hypot(...v)));
    return `q is ${long} long, k ${other}: the score is ${num(score(state), 3)}. Pairs at the same distance ` + (high - low < 1e-12
      ? 'all have this score, wherever they stand.' : `have scores from ${num(low, 3)} to ${num(high, 3)}.`);
  }
});
}
