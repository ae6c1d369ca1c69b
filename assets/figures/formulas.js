// Twins of Python functions: each is named after the one in its comment, and compared with it, to 1e-12, in
// tests/book/test_live_figures.py. What the live figures draw is computed here and nowhere else.
const posenc = {
  /** posenc_lib.inv_freq: frequencies b^(−2i/d) of d/2 planes. */
  invFreq: (dim, base = 10000) => Array.from({length: dim / 2}, (_, i) => 1 / base ** (2 * i / dim)),

  /** posenc_lib.cos_sin: cosines and sines of position times frequency. */
  cosSin: (theta, position) => [theta.map(t => Math.cos(position * t)), theta.map(t => Math.sin(position * t))],

  /** posenc_lib.apply_rotary: x turned plane by plane, entry i paired with entry i + n. */
  applyRotary(x, cos, sin) {
    const n = cos.length;
    return x.map((v, i) => i < n ? v * cos[i] - x[i + n] * sin[i] : v * cos[i - n] + x[i - n] * sin[i - n]);
  },

  /** posenc_lib.analysis.rotary_score: Re Σ q_i k_i* e^(ixθ_i), entry i paired with entry i + n. */
  rotaryScore(q, k, distance, theta) {
    const n = theta.length, [cos, sin] = posenc.cosSin(theta, distance);
    return theta.reduce((sum, _, i) => sum + (q[i] * k[i] + q[i + n] * k[i + n]) * cos[i]
      - (q[i + n] * k[i] - q[i] * k[i + n]) * sin[i], 0);
  },

  /** posenc_lib.additive.functions.sinusoidal_of: sine and cosine of each plane in turn. */
  sinusoidalOf: (theta, position) => theta.flatMap(t => [Math.sin(position * t), Math.cos(position * t)]),

  /** posenc_lib.analysis.partial_sums: S_1 … S_n, each as [real part, imaginary part]. */
  partialSums(distance, theta) {
    let re = 0, im = 0;
    return theta.map(t => [re += Math.cos(distance * t), im += Math.sin(distance * t)]);
  },

  /** posenc_lib.analysis.mean_partial_sums: the mean modulus of the partial sums. */
  meanPartialSums: (distance, theta) =>
    posenc.partialSums(distance, theta).reduce((sum, [re, im]) => sum + Math.hypot(re, im), 0) / theta.length,

  /** posenc_lib.analysis.decay_kernel: the mean of cos(xθ_i). */
  decayKernel: (distance, theta) => theta.reduce((sum, t) => sum + Math.cos(distance * t), 0) / theta.length,

  /** posenc_lib.analysis.integrals.cin: γ + ln y − Ci(y), by its series or the continued fraction of E₁(iy). */
  cin(y) {
    if (y < 4) {
      let [sum, term] = [0, -1];
      for (let k = 2; k < 50; k += 2) sum += (term *= -y * y / k / (k - 1)) / k;
      return sum;
    }
    let [a, b] = [401, y];
    for (let k = 200; k; k--) [a, b] = [2 * k - 1 - k * k * a / (a * a + b * b), y + k * k * b / (a * a + b * b)];
    return 0.5772156649015329 + Math.log(y) + (a * Math.cos(y) - b * Math.sin(y)) / (a * a + b * b);
  },

  /** posenc_lib.analysis.decay_integral: the mean of cos(xb^(−t)) for t from 0 to 1. */
  decayIntegral: (x, base) => 1 - (posenc.cin(x) - posenc.cin(x / base)) / Math.log(base),

  /** posenc_lib.rotary.scaling.rules.linear: θ_i / s. Like its three relatives, with the factor on cos, sin. */
  linear: (theta, {factor}) => [theta.map(t => t / factor), 1],

  /** posenc_lib.rotary.scaling.rules.ntk: θ_i s^(−i/(n−1)). */
  ntk: (theta, {factor}) => [theta.map((t, i) => t * factor ** (-i / (theta.length - 1))), 1],

  /** posenc_lib.rotary.scaling.rules.llama3: a ramp in turns; none, but a step, where its ends are equal. */
  llama3(theta, {factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: length}) {
    const share = turns => low === high ? +(turns >= low) : posenc.clamp((turns - low) / (high - low), 0, 1);
    return [theta.map(t => { const kept = share(t * length / (2 * Math.PI)); return t * (1 - kept) / factor + t * kept; }), 1];
  },

  /** posenc_lib.rotary.scaling.yarn.yarn: the paper's ramp, or the code's, rounded to whole planes or not. */
  yarn(theta, {factor, original_max_position_embeddings: length, beta_fast: fast = 32, beta_slow: slow = 1,
               truncate = true, ramp = 'code'}) {
    const last = theta.length - 1, step = Math.log(theta[0] / theta[last]) / last;
    const place = turns => Math.log(theta[0] * length / (2 * Math.PI * turns)) / step;
    const [down, up] = truncate ? [Math.floor, Math.ceil] : [v => v, v => v];
    const low = Math.max(down(place(fast)), 0);
    let high = Math.min(up(place(slow)), 2 * last + 1);
    if (low === high) high += 1e-3;
    return [theta.map((t, i) => {
      const turns = t * length / (2 * Math.PI);
      const left = posenc.clamp(ramp === 'paper' ? (fast - turns) / (fast - slow) : (i - low) / (high - low), 0, 1);
      return t * (1 - left) + t / factor * left;
    }), posenc.yarnMscale(factor)];
  },

  /** posenc_lib.rotary.scaling.yarn.yarn_mscale: 0.1 ln s + 1. */
  yarnMscale: factor => factor > 1 ? 0.1 * Math.log(factor) + 1 : 1,

  /** torch.clamp: v, moved into [low, high]. */
  clamp: (v, low, high) => Math.min(Math.max(v, low), high),

  /** posenc_lib.analysis.base_bound.kernel_sums: Σ cos mθ_i for m < length, from 2√length tables. */
  kernelSums(theta, length) {
    const side = Math.floor(Math.sqrt(length - 1)) + 1, n = theta.length, sums = new Float64Array(length);
    const near = Array.from({length: side}, (_, a) => posenc.cosSin(theta, a));
    for (let start = 0; start < length; start += side) {
      const [cos, sin] = posenc.cosSin(theta, start);
      for (let a = 0; a < side && start + a < length; a++) {
        const [c, s] = near[a];
        let sum = 0;
        for (let i = 0; i < n; i++) sum += cos[i] * c[i] - sin[i] * s[i];
        sums[start + a] = sum;
      }
    }
    return sums;
  },

  /** posenc_book.figures.base_bounds.first_negative: the first distance whose sum is negative, or upTo. */
  firstNegative(theta, upTo) {
    const found = posenc.kernelSums(theta, upTo).findIndex(v => v < 0);
    return found < 0 ? upTo : found;
  },

  /** posenc_book.figures.taylor.pooled: two tokens of width 2, attention, mean, read out in one direction. */
  pooled(x, y, bilinear, direction) {
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1], apart = [x[0] - y[0], x[1] - y[1]];
    const heeds = a => 1 / (1 + Math.exp(-dot(a, bilinear.map(row => dot(row, apart))) / Math.SQRT2));
    return (dot(direction, x) + dot(direction, y) + (heeds(x) + heeds(y) - 1) * dot(direction, apart)) / 2;
  },

  /** posenc_book.figures.taylor.orders: f(x + p, y + q) in five parts: f, order 1, order 2 of one token, pᵀHq, rest. */
  orders(x, y, p, q, bilinear, direction) {
    // numbers with two small parts s, t are kept as coefficients of 1, s, t, s²/2, t²/2, st
    const times = (a, b) => [a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0],
      a[0] * b[3] + 2 * a[1] * b[1] + a[3] * b[0], a[0] * b[4] + 2 * a[2] * b[2] + a[4] * b[0],
      a[0] * b[5] + a[1] * b[2] + a[2] * b[1] + a[5] * b[0]];
    const plus = (...all) => all.reduce((a, b) => a.map((v, i) => v + b[i]));
    const scaled = (a, c) => a.map(v => v * c), dot = (a, b) => plus(times(a[0], b[0]), times(a[1], b[1]));
    const sigmoid = a => {
      const v = 1 / (1 + Math.exp(-a[0])), one = v * (1 - v), two = one * (1 - 2 * v);
      return [v, one * a[1], one * a[2], one * a[3] + two * a[1] ** 2, one * a[4] + two * a[2] ** 2,
        one * a[5] + two * a[1] * a[2]];
    };
    const X = x.map((v, i) => [v, p[i], 0, 0, 0, 0]), Y = y.map((v, i) => [v, 0, q[i], 0, 0, 0]);
    const apart = X.map((v, i) => plus(v, scaled(Y[i], -1)));
    const image = bilinear.map(row => plus(...row.map((c, i) => scaled(apart[i], c))));
    const heeds = a => sigmoid(scaled(dot(a, image), Math.SQRT1_2));
    const read = a => plus(...direction.map((c, i) => scaled(a[i], c)));
    const both = plus(heeds(X), heeds(Y), [-1, 0, 0, 0, 0, 0]);
    const f = scaled(plus(read(X), read(Y), times(both, read(apart))), .5);
    const parts = [f[0], f[1] + f[2], (f[3] + f[4]) / 2, f[5]];
    const moved = posenc.pooled(x.map((v, i) => v + p[i]), y.map((v, i) => v + q[i]), bilinear, direction);
    return [...parts, parts.reduce((rest, part) => rest - part, moved)];
  },
};
