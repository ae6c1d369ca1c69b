// n unit arrows, one for each plane, head to tail: how far to the right they end is the score, how far they stray the Abel bound.
{
const LAST = 256, R = 118, {num, whole, path} = LiveFigure;
const X = x => 34 + x * 298 / LAST, Y = v => 176 - 160 * v;  // the graph
const curves = {};
const curve = (dim, base) => curves[[dim, base]] ??= (() => {
  const theta = posenc.invFreq(dim, base), at = Array.from({length: LAST + 1}, (_, x) => x);
  return {theta, score: path(at.map(x => [X(x), Y(posenc.decayKernel(x, theta))])),
    mean: path(at.map(x => [X(x), Y(posenc.meanPartialSums(x, theta) * 2 / dim)]))};
})();

const picture = ({x, dim, base}) => {
  const {theta, score, mean} = curve(dim, base), n = dim / 2, unit = R / n;
  const joints = [[0, 0], ...posenc.partialSums(x, theta)].map(([re, im]) => [150 + unit * re, 132 - unit * im]);
  const [tip, away, kernel] = [joints[n], posenc.meanPartialSums(x, theta) / n, posenc.decayKernel(x, theta)];
  const dots = n > 40 ? '' : joints.map(([a, b]) => `<circle class="ink" cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="1.6"/>`).join('');
  return `<svg viewBox="0 0 300 280" role="img" aria-label="${n} arrows of length 1, head to tail, in a circle of radius ${n}">
<circle class="rim" cx="150" cy="132" r="${R}"/><path class="axis" d="M20 132H280"/><circle class="two dash" cx="150" cy="132" r="${(R * away).toFixed(1)}"/>
<path class="walk" d="${path(joints)}"/>${dots}<path class="axis dash" d="M${tip.map(v => v.toFixed(1)).join(' ')}V132"/><path class="one thick" d="M150 132H${tip[0].toFixed(1)}"/>
<circle class="fill-one" cx="${tip[0].toFixed(1)}" cy="${tip[1].toFixed(1)}" r="5"/><text x="150" y="273" text-anchor="middle">${n} unit arrows from the centre</text></svg>
<svg viewBox="0 0 350 280" role="img" aria-label="Score and mean distance from home against distance 0 to ${LAST}, both divided by ${n}" data-grip="x">
<rect class="grip" x="20" width="320" height="230"/><path class="axis" d="M34 176H336M34 10V228"/><path class="axis faint" d="M34 16H332"/><text x="28" y="20" text-anchor="end">1</text><text x="28" y="180" text-anchor="end">0</text>
${[0, 64, 128, 192, 256].map(t => `<text x="${X(t)}" y="245" text-anchor="middle">${t}</text>`).join('')}<text x="183" y="266" text-anchor="middle">distance x</text>
<path class="two dash" d="${mean}"/><path class="one" d="${score}"/><path class="axis now" d="M${X(x).toFixed(1)} 10V228"/>
<circle class="fill-two" cx="${X(x).toFixed(1)}" cy="${Y(away).toFixed(1)}" r="5"/><circle class="fill-one" cx="${X(x).toFixed(1)}" cy="${Y(kernel).toFixed(1)}" r="6"/>
<text class="one" x="336" y="32" text-anchor="end">score</text><text class="two" x="336" y="50" text-anchor="end">mean of |S| (dashed)</text></svg>`;
};

customElements.define('walk-of-arrows', class extends LiveFigure {
  static start = {x: 7, dim: 128, base: 10000};
  static hint = 'Drag the distance along the curve: the arrows turn, each at its own speed.';
  static knobs = {
    x: {label: 'distance x', min: 0, max: LAST, step: 1},
    dim: {label: 'width d', min: 8, max: 256, step: 8},
    base: {label: 'base', min: 10, max: 1e7, log: true},
  };
  static picture = picture;
  static line({x, dim, base}) {
    const {theta} = curve(dim, base), n = dim / 2, kernel = posenc.decayKernel(x, theta);
    return `At distance ${x} the arrows end ${num(Math.abs(kernel), 3)} × ${n} to the ${kernel < 0 ? 'left' : 'right'} of the centre, which is the score${kernel < 0 ? ', negative here' : ''}; `
      + `on the way they are ${num(posenc.meanPartialSums(x, theta))} away from the centre on average, the mean of |S|.`;
  }
  static drag = (state, {x}) => ({x: Math.round(posenc.clamp((x - 34) * LAST / 298, 0, LAST))});
});
}
