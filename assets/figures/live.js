// What the live figures share. A figure is a class with its knobs, its first state, picture(state), which makes every
// frame, and line(state), which says it in words. The still figure inside the element stays: for paper, and without scripts.
class LiveFigure extends HTMLElement {
  static start = {};
  static hint = '';

  // A number, with a minus sign as in print.
  static num = (v, digits = 2) => v.toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1').replace('-', '−');
  static power = (exponent, min, max) => Math.round(posenc.clamp(10 ** exponent, min, max));
  static whole = v => Math.round(v).toLocaleString('en');
  // The points of a polyline.
  static path = points => 'M' + points.map(p => p.map(v => v.toFixed(1)).join(' ')).join('L');

  connectedCallback() {
    if (this.panel) return;
    const {start, knobs, hint} = this.constructor;
    this.state = {...start, ...JSON.parse(this.dataset.state || '{}')};
    this.panel = document.createElement('div');
    this.panel.className = 'live-panel';
    this.panel.innerHTML = `<p class="live-hint">${hint}</p><div class="live-picture"></div><div class="live-knobs">`
      + Object.entries(knobs).map(([name, knob]) => LiveFigure.control(name, knob)).join('')
      + '</div><output aria-live="polite"></output>';
    this.append(this.panel);
    this.classList.add('is-live');
    [this.box, this.said] = [this.panel.querySelector('.live-picture'), this.panel.querySelector('output')];
    this.panel.addEventListener('input', event => this.turned(event.target));
    this.panel.addEventListener('click', event => { const {jump} = event.target.dataset; if (jump) this.set(knobs[jump].to(this.state)); });
    this.box.addEventListener('pointerdown', event => this.grabbed(event));
    this.box.addEventListener('pointermove', event => this.held && this.dragged(event));
    // what is dragged freely, not sideways alone, does not scroll the page; touch-action would not hold for parts of a drawing
    this.box.addEventListener('touchstart', event => event.target.closest('.freely') && event.preventDefault(), {passive: false});
    for (const end of ['pointerup', 'pointercancel']) this.box.addEventListener(end, () => { this.held = null; });
    this.set({});
  }

  // A knob is {label, min, max, step, log}, {label, choices}, {label, to: what a click changes} or a check box, {label}.
  static control(name, {label, min, max, step, log, choices, to}) {
    if (to) return `<button type="button" data-jump="${name}">${label}</button>`;
    if (choices) return `<label>${label} <select name="${name}">` + Object.entries(choices).map(([value, text]) =>
      `<option value="${value}">${text}</option>`).join('') + '</select></label>';
    if (min === undefined) return `<label class="live-check"><input type="checkbox" name="${name}"> ${label}</label>`;
    const [low, high, by] = log ? [Math.log10(min), Math.log10(max), .01] : [min, max, step];
    return `<label><span>${label} <b></b></span><input type="range" name="${name}" min="${low}" max="${high}" step="${by}"></label>`;
  }

  turned({name, type, value, checked}) {
    const {log, min, max} = this.constructor.knobs[name];
    if (type !== 'range') return this.set({[name]: type === 'checkbox' ? checked : value});
    if (!log) return this.set({[name]: +value});
    const old = this.state[name], now = LiveFigure.power(value, min, max);  // a step too small to see is a step to the next number
    this.set({[name]: now === old ? posenc.clamp(old + Math.sign(value - Math.log10(old)), min, max) : now});
  }

  // Every change comes through here: knobs, words and picture always show one state.
  set(change) {
    const {knobs, picture, line} = this.constructor;
    Object.assign(this.state, change);
    for (const input of this.panel.querySelectorAll('[name]')) {
      const value = this.state[input.name], {log, min, max, show = LiveFigure.whole} = knobs[input.name];
      if (input.type === 'checkbox') input.checked = value;
      else if (input.type === 'range') {
        // a slider over a logarithm stays where the hand is, between the places of two whole numbers
        if (!log || LiveFigure.power(input.value, min, max) !== value) input.value = log ? Math.log10(Math.max(value, min)) : value;
        input.setAttribute('aria-valuetext', input.previousElementSibling.lastElementChild.textContent = show(value));
      } else input.value = value;
    }
    this.box.innerHTML = picture(this.state);
    this.said.textContent = line(this.state);
  }

  // Where the pointer is, in the units of the drawing that it took hold of.
  point(event) {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.box.children[this.held.drawing].getScreenCTM().inverse());
    return {x, y, held: this.held};
  }

  grabbed(event) {
    const grip = event.target.closest('[data-grip]');
    if (!grip || event.button) return;
    this.held = {name: grip.dataset.grip, drawing: [...this.box.children].indexOf(grip.closest('svg'))};
    this.box.setPointerCapture(event.pointerId);
    event.preventDefault();
    if (event.pointerType !== 'touch') this.dragged(event);  // what a finger took hold of must stay until it moves
  }

  dragged(event) { this.set(this.constructor.drag(this.state, this.point(event))); }
}

// A figure about two positions, m and n, which are dragged along a line: alone, or both with the knob "together".
class PairFigure extends LiveFigure {
  static LAST = 11;
  static X = i => 20 + i * 320 / PairFigure.LAST;
  static pair = (first, second) => ({
    m: {label: `position m of ${first}`, min: 0, max: PairFigure.LAST, step: 1},
    n: {label: `position n of ${second}`, min: 0, max: PairFigure.LAST, step: 1},
    together: {label: 'move both'},
  });

  // The line, with a stone above it for m and one below it for n: each [name, colour].
  static track({m, n}, first, second) {
    const {X, LAST} = PairFigure, numbers = Array.from({length: LAST + 1}, (_, i) => `<text x="${X(i)}" y="50" text-anchor="middle">${i}</text>`);
    const stone = (grip, at, y, [name, colour]) => `<g data-grip="${grip}"><circle class="grip" cx="${X(at)}" cy="${y}" r="18"/>`
      + `<circle class="stone ${colour}" cx="${X(at)}" cy="${y}" r="11"/><text class="${colour}" x="${X(at)}" y="${y + 4.5}" text-anchor="middle">${name}</text></g>`;
    return `<svg class="wide" viewBox="0 0 360 92" role="img" aria-label="Positions 0 to ${LAST}: ${first[0]} at ${m}, ${second[0]} at ${n}">`
      + `<path class="axis" d="M${X(0)} 32H${X(LAST)}"/>${numbers.join('')}${stone('m', m, 16, first)}${stone('n', n, 72, second)}</svg>`;
  }

  static place({m, n, together}, name, to) {
    const {LAST} = PairFigure, gap = m - n;
    if (!together) return {[name]: posenc.clamp(to, 0, LAST)};
    const moved = posenc.clamp(name === 'm' ? to : to + gap, Math.max(0, gap), LAST + Math.min(0, gap));
    return {m: moved, n: moved - gap};
  }

  static drag = (state, {x, held}) => PairFigure.place(state, held.name, Math.round((x - 20) * PairFigure.LAST / 320));

  turned(input) {
    if (input.name !== 'm' && input.name !== 'n') return super.turned(input);
    this.set(PairFigure.place(this.state, input.name, +input.value));
  }
}
