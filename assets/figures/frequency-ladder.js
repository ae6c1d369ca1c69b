// Every plane by the turns that it made in training, and how much of its frequency a rule leaves when the text grows.
{
const {num, whole, path} = LiveFigure;
const RULES = {
  linear: ['position interpolation', posenc.linear, {}],
  ntk: ['NTK-aware', posenc.ntk, {}],
  paper: ['YaRN, paper: ramp in turns', posenc.yarn, {ramp: 'paper'}],
  code: ['YaRN, code: ramp in planes', posenc.yarn, {}],
  exact: ['YaRN, ends not rounded', posenc.yarn, {truncate: false}],
  llama3: ['Llama 3.1: ramp from 1 to 4 turns', posenc.llama3, {low_freq_factor: 1, high_freq_factor: 4}],
  step: ['a step at 1 turn, as in Llama 4', posenc.llama3, {low_freq_factor: 1, high_freq_factor: 1}],
};
// Turns r_i in training, multipliers μ_i, and the planes that meet angles not seen there: r_i < 1, and sμ_i > 1.
const ladder = ({rule, factor, length, base, dim}) => {
  const theta = posenc.invFreq(dim, base), [, rescale, rest] = RULES[rule];
  const [scaled] = rescale(theta, {factor, original_max_position_embeddings: length, ...rest});
  return theta.map((t, i) => {
    const turns = t * length / (2 * Math.PI), mu = scaled[i] / t;
    return {turns, mu, unseen: turns < 1 && factor * mu > 1 + 1e-9};
  });
};

const TOP = 24, X = share => 42 + 304 * share, Y = mu => TOP - 190 * Math.log2(mu) / 6;  // down to 1/64
const picture = state => {
  const planes = ladder(state), last = planes.length - 1, {factor} = state, line = rule => path(rule.map(({mu}, i) => [X(i / last), Y(mu)]));
  const place = turns => X(Math.log(planes[0].turns / turns) / Math.log(planes[0].turns / planes[last].turns));
  const others = Object.keys(RULES).filter(rule => rule !== state.rule).map(rule => `<path class="axis faint" d="${line(ladder({...state, rule}))}"/>`);
  const dots = planes.map(({mu, unseen}, i) => `<circle class="fill-${unseen ? 'two' : 'one'}" cx="${X(i / last).toFixed(1)}" cy="${Y(mu).toFixed(1)}" r="${unseen ? 4.5 : 2.6}"/>`);
  const ticks = [1000, 100, 10, 1, .1, .01].filter(t => t <= planes[0].turns && t >= planes[last].turns);
  const one = posenc.clamp(place(1), X(0), X(1)), floor = Y(1 / factor).toFixed(1);
  return `<svg class="wide" viewBox="-8 0 368 276" role="img" aria-label="New frequency over old, plane by plane, for the rule: ${RULES[state.rule][0]}">
<rect class="band" x="${one.toFixed(1)}" y="10" width="${(X(1) - one + 8).toFixed(1)}" height="212"/><path class="axis" d="M34 10V222H354"/>
${[1, 2, 4, 8, 16, 32, 64].map(s => `<text x="28" y="${Y(1 / s) + 4}" text-anchor="end">${s > 1 ? '1/' : ''}${s}</text>`).join('')}
${ticks.map(t => `<text x="${place(t).toFixed(1)}" y="238" text-anchor="middle">${t}</text>`).join('')}<text x="190" y="256" text-anchor="middle">turns in the ${whole(state.length)} positions of training,</text><text x="190" y="272" text-anchor="middle">plane by plane</text>
${others.join('')}<path class="one" d="${line(planes)}"/>${dots.join('')}
<g class="freely" data-grip="factor"><rect class="grip" x="34" y="${floor - 16}" width="326" height="32"/><path class="axis dash now" d="M34 ${floor}H354"/><text x="40" y="${floor - 5}">1/s</text></g></svg>`;
};

customElements.define('frequency-ladder', class extends LiveFigure {
  static start = {rule: 'code', factor: 8, length: 4096, base: 10000, dim: 128};
  static hint = 'Choose a rule and drag the dashed line, 1/s, up or down. The other rules are drawn faintly.';
  static knobs = {
    rule: {label: 'rule', choices: Object.fromEntries(Object.entries(RULES).map(([name, [text]]) => [name, text]))},
    factor: {label: 'factor s', min: 1, max: 64, step: 1},
    length: {label: 'trained length', min: 512, max: 32768, log: true},
    base: {label: 'base', min: 500, max: 1e6, log: true},
  };
  static picture = picture;
  static line(state) {
    const planes = ladder(state), count = test => planes.filter(test).length, {factor} = state;
    const slow = count(p => p.turns < 1), unseen = count(p => p.unseen);
    return `${RULES[state.rule][0]}, s = ${factor}: ${count(p => p.mu > 1 - 1e-9)} of ${planes.length} planes keep their frequency, ${count(p => factor * p.mu < 1 + 1e-9)} have it divided by s. `
      + `${slow} made less than one turn in training; ` + (unseen ? `at ${whole(factor * state.length)} positions ${unseen} of these meet angles they have not seen (large dots).` : 'none of these meets an angle it has not seen.');
  }
  static drag = (state, {y}) => ({factor: Math.round(posenc.clamp(2 ** ((y - TOP) * 6 / 190), 1, 64))});
});
}
