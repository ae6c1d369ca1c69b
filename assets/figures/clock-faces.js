// One encoding as a row of clocks: hand i stands at (sin mθ_i, cos mθ_i), starts at twelve and turns clockwise.
{
const MOST = 1e6, R = 28, {num, whole} = LiveFigure;
const centre = i => [40 + 70 * (i % 5), 36 + 92 * Math.floor(i / 5)];
const similarity = (m, theta) => num(posenc.decayKernel(m, theta), 3);

const picture = ({m, dim, base}) => {
  const theta = posenc.invFreq(dim, base), hands = posenc.sinusoidalOf(theta, m);
  const faces = theta.map((t, i) => {
    const [x, y] = centre(i), tip = [x + R * hands[2 * i], y - R * hands[2 * i + 1]].map(v => v.toFixed(1)), turn = 2 * Math.PI / t;
    return `<g class="freely" data-grip="${i}"><circle class="grip" cx="${x}" cy="${y}" r="34"/><circle class="rim" cx="${x}" cy="${y}" r="${R}"/><path class="axis" d="M${x} ${y - R}v6"/>
<path class="one thin" d="M${x} ${y}L${tip.join(' ')}"/><circle class="fill-two" cx="${tip[0]}" cy="${tip[1]}" r="4"/><text class="small" x="${x}" y="${y + 45}" text-anchor="middle">${turn < 100 ? num(turn, 1) : whole(turn)}</text></g>`;
  });
  return `<svg class="wide" viewBox="0 0 360 ${centre(theta.length - 1)[1] + 74}" role="img" aria-label="${theta.length} clock faces, each slower than the one before, at position ${m}">${faces.join('')}
<text x="180" y="${centre(theta.length - 1)[1] + 68}" text-anchor="middle">below each hand: positions for one turn</text></svg>`;
};

const jump = (label, to) => ({label, to});
customElements.define('clock-faces', class extends LiveFigure {
  static start = {m: 3, dim: 20, base: 10000};
  static hint = 'Turn any hand, and the others follow; a slow hand carries you far.';
  static knobs = {
    m: {label: 'position m', min: 1, max: MOST, log: true},
    back: jump('one back', ({m}) => ({m: Math.max(0, m - 1)})), on: jump('one on', ({m}) => ({m: Math.min(MOST, m + 1)})),
    zero: jump('0', () => ({m: 0})), near: jump('44', () => ({m: 44})), nearer: jump('710', () => ({m: 710})),
  };
  static picture = picture;
  static line({m, dim, base}) {
    const theta = posenc.invFreq(dim, base), turns = m / (2 * Math.PI), still = theta.filter(t => m * t < Math.PI / 180).length;
    return `Position ${whole(m)}: the first hand has made ${num(turns, 3)} turns, ${still ? `${still} of ${theta.length} hands less than a degree` : `the last one ${num(turns * theta.at(-1), 3)}`}. `
      + `The cosine between this encoding and that of position 0 is ${similarity(m, theta)}.`;
  }
  // The place nearest to m at which hand i points where the pointer is.
  static drag({m, dim, base}, {x, y, held}) {
    const [cx, cy] = centre(+held.name), theta = posenc.invFreq(dim, base)[held.name], asked = Math.atan2(x - cx, cy - y) - m * theta;
    const turn = asked - 2 * Math.PI * Math.round(asked / (2 * Math.PI));
    return {m: Math.round(posenc.clamp(m + turn / theta, 0, MOST))};
  }
});
}
