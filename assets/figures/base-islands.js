// How far the sums of cosines stay non-negative, base by base: what stands above the water, the length, is feasible.
{
const {whole, path} = LiveFigure, TOP = 14, FLOOR = 214, LEFT = 50, RIGHT = 352;
const X = ({lowest, highest}, base) => LEFT + (RIGHT - LEFT) * Math.log(base / lowest) / Math.log(highest / lowest);
const bottom = ({first}) => Math.min(...first), top = ({first}) => Math.max(...first);
const Y = (state, distance) => FLOOR - (FLOOR - TOP) * Math.log(distance / bottom(state)) / Math.log(top(state) / bottom(state));
const at = ({lowest, highest, first}, i) => lowest * (highest / lowest) ** (i / (first.length - 1));
const reached = {};  // by base
const reach = ({base, dim, first}) => reached[base] ??= posenc.firstNegative(posenc.invFreq(dim, base), Math.max(...first));

// What the stored rows certify: what fails for a shorter text fails, and what serves a longer one serves.
const certified = ({rows, length}) => {
  const below = rows.filter(row => row.length <= length).at(-1), above = rows.find(row => row.length >= length && row.safe);
  return (below ? `No base below ${whole(Math.floor(below.base))} is feasible` : '') + (below && above ? ', and ' : '') + (above ? `${below ? 'every' : 'Every'} base from ${whole(Math.ceil(above.safe))} on is` : '') + ', certified.';
};

const picture = state => {
  const {first, length, base, rows, lowest, highest} = state, step = (RIGHT - LEFT) / (first.length - 1), water = Y(state, length);
  const points = first.map((distance, i) => [LEFT + i * step, Y(state, distance)]), now = X(state, base), y = Y(state, reach(state));
  const islands = path([[LEFT, water], ...points.map(([x, height]) => [x, Math.min(height, water)]), [RIGHT, water]]);
  const inside = bases => bases >= lowest && bases <= highest, marks = rows.filter(row => row.length >= bottom(state) && row.length <= top(state)).map(row => {
    const height = Y(state, row.length), low = X(state, row.base), safe = X(state, row.safe || highest * 2);
    return (inside(row.base) ? `<circle class="two" cx="${low.toFixed(1)}" cy="${height.toFixed(1)}" r="4"/>` : '')
      + (row.safe && inside(row.safe) ? `<path class="two" d="M${(safe - 5).toFixed(1)} ${(height + 4).toFixed(1)}h10l-5 -9z"/>` : '');
  });
  const levels = [1, 2, 4, 8, 16, 32, 64, 128].map(k => 1024 * k).filter(v => v >= bottom(state) && v <= top(state));
  const ticks = [1, 2, 5, 10, 20, 50].map(k => 1e5 * k / 2).filter(inside);
  return `<svg class="wide" viewBox="0 0 360 270" role="img" aria-label="The first distance with a negative sum against the base; feasible for ${whole(length)} is what lies above a level">
<g data-grip="base"><rect class="grip" x="${LEFT}" y="0" width="${RIGHT - LEFT}" height="${FLOOR}"/><path class="fill-three" d="${islands}Z"/><path class="one hair" d="${path(points)}"/>${marks.join('')}
<path class="axis now" d="M${now.toFixed(1)} ${TOP - 8}V${FLOOR}"/><circle class="fill-one" cx="${now.toFixed(1)}" cy="${y.toFixed(1)}" r="5"/></g>
<g class="freely" data-grip="length"><rect class="grip" x="${LEFT - 44}" y="${(water - 14).toFixed(1)}" width="${RIGHT - LEFT + 44}" height="28"/><path class="axis dash now" d="M${LEFT} ${water.toFixed(1)}H${RIGHT}"/></g>
<path class="axis" d="M${LEFT} ${TOP - 8}V${FLOOR}H${RIGHT}"/>${levels.map(v => `<text x="${LEFT - 5}" y="${(Y(state, v) + 4).toFixed(1)}" text-anchor="end">${whole(v)}</text>`).join('')}
${ticks.map(v => `<text x="${X(state, v).toFixed(1)}" y="${FLOOR + 16}" text-anchor="middle">${whole(v)}</text>`).join('')}<text class="small" x="180" y="${FLOOR + 34}" text-anchor="middle">across: the base; upwards: the first distance with a negative sum</text>
<text class="small" x="180" y="${FLOOR + 50}" text-anchor="middle">certified: smallest (circles) and safe (triangles) bases</text></svg>`;
};

customElements.define('base-islands', class extends LiveFigure {
  static start = {length: 8192, base: 1e5, dim: 128, first: [1, 2], lowest: 4e4, highest: 8e5, rows: []};
  static hint = 'Drag the dashed level, the length, up or down, and the vertical line, the base, sideways.';
  static knobs = {length: {label: 'length L', min: 2048, max: 32768, log: true}, base: {label: 'base', min: 4e4, max: 8e5, log: true}};
  static picture = picture;
  static line(state) {
    const {first, length, base} = state, share = first.filter(distance => distance >= length).length / first.length, distance = reach(state);
    return `Base ${whole(base)}: ` + (distance < top(state) ? `the first negative sum is at distance ${whole(distance)}` : `no negative sum below ${whole(distance)}`)
      + `, so it is ${distance < length ? 'not ' : ''}feasible for length ${whole(length)}; ${Math.round(100 * share)}\u00a0% of the bases drawn are. ${certified(state)}`;
  }
  static drag(state, {x, y, held}) {
    const {lowest, highest} = state;
    if (held.name === 'base') return {base: Math.round(posenc.clamp(lowest * (highest / lowest) ** ((x - LEFT) / (RIGHT - LEFT)), lowest, highest))};
    return {length: Math.round(posenc.clamp(bottom(state) * (top(state) / bottom(state)) ** ((FLOOR - y) / (FLOOR - TOP)), 2048, 32768))};
  }
});
}
