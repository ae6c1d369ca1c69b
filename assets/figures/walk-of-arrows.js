// N unit arrows, head to tail: how far to the right they end is the score. Beside it, by "beside", the Abel bound or
// the integral that stands for the sum; all divided by N.
// The contents of query and key turn each arrow by an angle of its own.
{
const LAST = 256, R = 118, AHEAD = 150, {num, path, whole} = LiveFigure;
// Where the distances stand along the curve: the near ones evenly, the far ones by their logarithms.
const upTo = (n, f) => Array.from({length: n + 1}, (_, i) => f(i));
const AXES = {
  near: {first: 0, last: LAST, X: x => 34 + x * 298 / LAST, back: at => (at - 34) * LAST / 298, shown: upTo(LAST, x => x), ticks: upTo(4, i => [64 * i, 64 * i])},
  far: {first: 1, last: 1e6, X: x => 34 + Math.log10(Math.max(x, 1)) * 298 / 6, back: at => 10 ** ((at - 34) * 6 / 298), shown: upTo(280, i => 10 ** (i * 6 / 280)).map(Math.round), ticks: upTo(6, i => [10 ** i, i < 4 ? 10 ** i : '10' + '⁴⁵⁶'[i - 4]])},
};
const VIEWS = {
  bound: {
    names: ['|score| / N', 'bound / N (dashed)'], top: 22, ticks: {100: '100', 10: '10', 1: '1', .1: '0.1', .01: '0.01'}, size: Math.abs,
    Y: v => 122 - 53 * Math.log10(Math.max(v, .01)), value: (x, theta) => posenc.meanPartialSums(x, theta),
    mark: (v, unit) => `<circle class="two dash" cx="150" cy="132" r="${(unit * v).toFixed(1)}"/>`,
    line: (sum, v, n, step, alike) => alike ? `On the way they are ${num(v)} from the centre on average, so the bound is ${num(v)} × ${n}.`
      : `From plane to plane the contents change by up to ${num(step)}, so the bound is ${num(v)} × ${n}.`,
  },
  integral: {
    names: ['sum / N', 'integral (dashed)'], top: 32, ticks: {1: '1', 0: '0'}, size: v => v,
    Y: v => 176 - 160 * v, value: (x, theta, base) => posenc.decayIntegral(x, base),
    mark: v => `<path class="two thick" d="M${(150 + R * v).toFixed(1)} 124v16"/>`,
    line: (sum, v) => `Where the sum has ${num(sum, 3)}, the integral has ${num(v, 3)}.`,
  },
};
// By which angle the contents turn each arrow; alike, by none.
const CONTENTS = {
  alike: ['alike', theta => theta.map(() => 0)],
  ahead: [`key turned ahead by ${AHEAD}`, theta => theta.map(t => -AHEAD * t)],
  random: ['random', (theta, seed = 7) => theta.map(() => (seed = seed * 16807 % 2147483647) / 2147483647 * 2 * Math.PI)],
};
const curves = {};
const curve = ({dim, base, beside, contents, reach}) => curves[[dim, base, beside, contents, reach]] ??= (() => {
  const theta = posenc.invFreq(dim, base), turned = CONTENTS[contents][1](theta), angles = x => theta.map((t, i) => x * t + turned[i]);
  // the largest step of h: from plane to plane, and the last, of length 1, to zero
  const step = Math.max(1, ...turned.slice(1).map((a, i) => Math.hypot(...posenc.partialSums(1, [a, turned[i] + Math.PI])[1])));
  const {X, shown} = AXES[reach], {size, value, Y} = VIEWS[beside];
  const kernel = x => posenc.decayKernel(1, angles(x)), second = x => step * value(x, theta, base);
  return {angles, step, kernel, second, sum: path(shown.map(x => [X(x), Y(size(kernel(x)))])), other: path(shown.map(x => [X(x), Y(second(x))]))};
})();

const picture = state => {
  const {x, dim, beside, reach} = state, {angles, kernel, second: of, sum, other} = curve(state), n = dim / 2, unit = R / n, axis = AXES[reach], {X} = axis;
  const {names, top, ticks, size, Y, mark} = VIEWS[beside], joints = [[0, 0], ...posenc.partialSums(1, angles(x))].map(([re, im]) => [150 + unit * re, 132 - unit * im]);
  const [tip, second, score] = [joints[n], of(x), kernel(x)];
  const dots = n > 40 ? '' : joints.map(([a, b]) => `<circle class="ink" cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="1.6"/>`).join('');
  const walk = joints.slice(1).map((to, i) => `<path class="walk" style="--slow:${100 * i / n}%" d="${path([joints[i], to])}"/>`).join('');
  return `<svg viewBox="0 0 300 280" role="img" aria-label="${n} arrows of length 1, head to tail, in a circle of radius ${n}">
<circle class="rim" cx="150" cy="132" r="${R}"/><path class="axis" d="M20 132H280"/>${mark(second, unit)}
${walk}${dots}<path class="axis dash" d="M${tip.map(v => v.toFixed(1)).join(' ')}V132"/><path class="one thick" d="M150 132H${tip[0].toFixed(1)}"/>
<circle class="fill-one" cx="${tip[0].toFixed(1)}" cy="${tip[1].toFixed(1)}" r="5"/><text x="150" y="273" text-anchor="middle">${n} arrows, from fast (green) to slow</text></svg>
<svg viewBox="0 0 350 280" role="img" aria-label="${names.join(' and ')} against distance ${axis.first} to ${whole(axis.last)}, both divided by ${n}" data-grip="x">
<rect class="grip" x="20" width="320" height="230"/><path class="axis" d="M34 ${Y(0)}H336M34 10V228"/><path class="axis faint" d="M34 ${Y(1)}H332"/>
${Object.entries(ticks).map(([v, text]) => `<text x="30" y="${Y(v) + 4}" text-anchor="end">${text}</text>`).join('')}
${axis.ticks.map(([t, text]) => `<text x="${X(t)}" y="245" text-anchor="middle">${text}</text>`).join('')}<text x="183" y="266" text-anchor="middle">distance x</text>
<path class="two dash" d="${other}"/><path class="one" d="${sum}"/><path class="axis now" d="M${X(x).toFixed(1)} 10V228"/>
<circle class="fill-two" cx="${X(x).toFixed(1)}" cy="${Y(second).toFixed(1)}" r="5"/><circle class="fill-one" cx="${X(x).toFixed(1)}" cy="${Y(size(score)).toFixed(1)}" r="6"/>
${names.map((name, i) => `<text class="${['one', 'two'][i]}" x="336" y="${top + 18 * i}" text-anchor="end">${name}</text>`).join('')}</svg>`;
};

customElements.define('walk-of-arrows', class extends LiveFigure {
  static start = {x: 7, reach: 'near', dim: 128, base: 10000, beside: 'bound', contents: 'alike'};
  static hint = 'Drag the distance along the curve: the arrows turn, each at its own speed.';
  static knobs = {
    x: {label: 'distance x', min: 1, max: AXES.far.last, log: true},
    thousand: {label: '1000', to: () => ({x: 1000})}, back: {label: '263,037', to: () => ({x: 263_037})}, zero: {label: '0', to: () => ({x: 0, reach: 'near'})},
    dim: {label: 'width d', min: 8, max: 256, step: 8},
    base: {label: 'base', min: 10, max: 1e7, log: true},
    contents: {label: 'contents', choices: Object.fromEntries(Object.entries(CONTENTS).map(([name, [text]]) => [name, text]))},
  };
  static picture = picture;
  static line(state) {
    const {x, dim, beside, contents} = state, {step, kernel, second} = curve(state), {line} = VIEWS[beside], sum = kernel(x);
    return `At distance ${whole(x)} the arrows end ${num(Math.abs(sum), 3)} × ${dim / 2} to the ${sum < 0 ? 'left' : 'right'} of the centre. ` + line(sum, second(x), dim / 2, step, contents === 'alike');
  }
  connectedCallback() {
    super.connectedCallback();
    if (this.state.beside === 'bound') return;
    this.panel.querySelector('[name="contents"]')?.parentElement.remove();
    this.panel.querySelector('[data-jump="back"]')?.remove();  // of which its page does not speak
  }
  // Who asks for a far distance sees the far ones, until he is back at 0.
  set(change) { super.set(change.x > LAST ? {...change, reach: 'far'} : change); }
  static drag = ({reach}, {x}, {first, last, back} = AXES[reach]) => ({x: Math.round(posenc.clamp(back(x), first, last))});
});
}
