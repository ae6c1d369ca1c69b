// Planes as clock faces: hand i stands at (sin mθ_i, cos mθ_i), starts at twelve and turns clockwise. By "view": all hands,
// and the cosine with position 0; a step of k positions, from 0 and from m; the planes as pictures of a film.
{
const MOST = 1e6, R = 28, {num, path, whole} = LiveFigure, DEGREES = 180 / Math.PI;
const centre = i => [40 + 70 * (i % 5), 36 + 92 * Math.floor(i / 5)];
const tip = (i, angle, r = R) => { const [x, y] = centre(i), [s, c] = posenc.sinusoidalOf([angle], 1); return [x + r * s, y - r * c]; };
const hand = (i, angle, look) => `<path class="${look}" d="${path([centre(i), tip(i, angle)])}"/>`;
const arc = (i, from, to, r, look) => `<path class="${look} thin" d="${path(Array.from({length: 31}, (_, j) => tip(i, from + (to - from) * j / 30, r)))}"/>`;
const X = x => 30 + 52 * Math.log10(Math.max(x, 1)), Y = v => 62 - 52 * v, AT = Array.from({length: 300}, (_, i) => Math.round(10 ** (i / 50)));
const ahead = ({m}, theta, i) => m * (theta[i] - theta[i + 1]) / (2 * Math.PI);

const VIEWS = {
  hands: {
    less: ['k'], foot: 'below each hand: positions for one turn', names: ['cosine with position 0'],
    below: (_, theta, i) => { const turn = 2 * Math.PI / theta[i]; return turn < 100 ? num(turn, 1) : whole(turn); },
    line({m}, theta) {
      const turns = m / (2 * Math.PI), still = theta.filter(t => m * t < 1 / DEGREES).length;
      return `Position ${whole(m)}: the first hand has made ${num(turns, 3)} turns, ${still ? `${still} of ${theta.length} hands less than a degree` : `the last one ${num(turns * theta.at(-1), 3)}`}. `
        + `The cosine between this encoding and that of position 0 is ${num(posenc.decayKernel(m, theta), 3)}.`;
    },
  },
  film: {
    less: ['k', 'nearer'], foot: 'below each picture: turns from it to the next', names: ['sum / N', 'integral'],
    below: (state, theta, i) => num(ahead(state, theta, i)),
    line: (state, theta) => `At distance ${whole(state.m)} the wheel makes ${num(ahead(state, theta, 0))} turns from the first picture to the second. `
      + `The sum is ${num(posenc.decayKernel(state.m, theta), 3)}, the integral ${num(posenc.decayIntegral(state.m, state.base), 3)}.`,
  },
  step: {
    less: ['back', 'on', 'zero', 'near', 'nearer'], foot: 'blue: from position 0; red: from position m', names: [],
    below: ({k}, theta, i) => `${num(k * theta[i] * DEGREES, 0)}°`,
    line: ({m, k}, theta) => `From position ${whole(m)} to ${whole(m + k)} plane 0 turns by ${num(k * theta[0] * DEGREES, 0)}°, as from 0 to ${k}. `
      + `The cosine between the two encodings is ${num(posenc.decayKernel(k, theta), 3)}, wherever the step begins.`,
  },
};

const face = (state, theta, i) => {
  const {m, k, view} = state, [x, y] = centre(i), [from, to] = [m * theta[i], (m + k) * theta[i]];
  const hands = view === 'step' ? hand(i, 0, 'one dash') + hand(i, to - from, 'one thin') + arc(i, 0, to - from, 12, 'one')
    + hand(i, from, 'two dash') + hand(i, to, 'two thin') + arc(i, from, to, 19, 'two')
    : hand(i, from, 'one thin') + `<circle class="fill-two" cx="${tip(i, from)[0].toFixed(1)}" cy="${tip(i, from)[1].toFixed(1)}" r="4"/>`;
  return `<g ${view === 'film' ? '' : `class="freely" data-grip="${i}"`}><circle class="grip" cx="${x}" cy="${y}" r="34"/><circle class="rim" cx="${x}" cy="${y}" r="${R}"/><path class="axis" d="M${x} ${y - R}v6"/>
${hands}<text class="small" x="${x}" y="${y + 45}" text-anchor="middle">${VIEWS[view].below(state, theta, i)}</text></g>`;
};

const curves = {};
const curve = ({dim, base}, theta) => curves[[dim, base]] ??= AT.map(x => `<circle class="fill-one" cx="${X(x).toFixed(1)}" cy="${Y(posenc.decayKernel(x, theta)).toFixed(1)}" r="1.3"/>`).join('');
const chart = (state, theta) => {
  const {m, view, base} = state, {names} = VIEWS[view];
  return `<svg class="wide" viewBox="0 0 360 150" role="img" aria-label="${names.join(' and ')} against distance 1 to 1,000,000" ${view === 'film' ? 'data-grip="x"' : ''}><rect class="grip" x="30" y="10" width="312" height="104"/><path class="axis" d="M30 ${Y(0)}H342M30 10V114"/>
${[1, 0, -1].map(v => `<text class="small" x="26" y="${Y(v) + 4}" text-anchor="end">${num(v, 0)}</text>`).join('')}
${['1', '100', '10,000', '10⁶'].map((text, i) => `<text class="small" x="${30 + 104 * i}" y="130" text-anchor="middle">${text}</text>`).join('')}<text x="186" y="146" text-anchor="middle">${view === 'film' ? 'distance x' : 'position m'}</text>
${curve(state, theta)}${names[1] ? `<path class="two" d="${path(AT.map(x => [X(x), Y(posenc.decayIntegral(x, base))]))}"/>` : ''}<path class="axis now" d="M${X(m).toFixed(1)} 10V114"/>
${names.map((name, i) => `<text class="${['one', 'two'][i]}" x="342" y="${20 + 16 * i}" text-anchor="end">${name}</text>`).join('')}</svg>`;
};

const picture = state => {
  const theta = posenc.invFreq(state.dim, state.base), {foot, names} = VIEWS[state.view], shown = theta.slice(0, state.shown), low = centre(shown.length - 1)[1];
  const middle = 5 + 35 * Math.min(5, shown.length), wide = Math.max(2 * middle, 290);
  return `<svg class="wide" viewBox="${middle - wide / 2} 0 ${wide} ${low + 74}" role="img" aria-label="${shown.length} clock faces, each slower than the one before, at ${state.m}">${shown.map((_, i) => face(state, theta, i)).join('')}
<text x="${middle}" y="${low + 68}" text-anchor="middle">${foot}</text></svg>${names.length ? chart(state, theta) : ''}`;
};

const jump = (label, to) => ({label, to});
customElements.define('clock-faces', class extends LiveFigure {
  static start = {m: 3, k: 0, dim: 20, base: 10000, shown: 10, view: 'hands'};
  static hint = 'Turn any hand, and the others follow; a slow hand carries you far.';
  static knobs = {
    m: {label: 'position m', min: 1, max: MOST, log: true}, k: {label: 'step k', min: 1, max: 12, step: 1},
    back: jump('one back', ({m}) => ({m: Math.max(0, m - 1)})), on: jump('one on', ({m}) => ({m: Math.min(MOST, m + 1)})),
    zero: jump('0', () => ({m: 0})), near: jump('44', () => ({m: 44})), nearer: jump('710', () => ({m: 710})),
  };
  static picture = picture;
  static line = state => VIEWS[state.view].line(state, posenc.invFreq(state.dim, state.base));
  connectedCallback() {
    super.connectedCallback();
    for (const name of VIEWS[this.state.view].less) {
      const control = this.panel.querySelector(`[name="${name}"], [data-jump="${name}"]`);
      (control?.closest('label') ?? control)?.remove();
    }
    if (this.state.view !== 'film') return;
    this.panel.querySelector('label span').firstChild.data = 'distance x ';
    this.panel.querySelector('.live-hint').textContent = 'Drag the distance along the curve, and the wheel turns faster from picture to picture.';
  }
  // The place nearest to m at which hand i points where the pointer is.
  static drag({m, dim, base}, {x, y, held}) {
    if (held.name === 'x') return {m: Math.round(10 ** posenc.clamp((x - 30) / 52, 0, 6))};
    const [cx, cy] = centre(+held.name), theta = posenc.invFreq(dim, base)[held.name], asked = Math.atan2(x - cx, cy - y) - m * theta;
    const turn = asked - 2 * Math.PI * Math.round(asked / (2 * Math.PI));
    return {m: Math.round(posenc.clamp(m + turn / theta, 0, MOST))};
  }
});
}
