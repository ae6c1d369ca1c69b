// "Try it here": an editor whose text a worker checks. Nothing is loaded before a reader asks for it.
(() => {
  const base = new URL("./", document.currentScript.src);
  const form = document.querySelector("form.try-it");
  const part = (selector) => form.querySelector(selector);
  const [editor, stop, bar] = ["textarea", "[data-stop]", "progress"].map(part);
  const task = part(".try-task");
  const [said, status, answers] = ["[data-progress]", "[role=status]", "ol"].map(part);
  const absent = document.querySelector(".try-absent");
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const element = (tag, className, textContent) => Object.assign(document.createElement(tag), { className, textContent });

  // Examples are the page's own blocks of code, each named by its heading; a link may bring another text.
  const fill = (text) => {
    editor.value = text.trimEnd();
    editor.rows = Math.min(Math.max(editor.value.split("\n").length + 1, 5), 18);
  };
  const examples = [...document.querySelectorAll(".highlight-text pre")];
  for (const example of examples) {
    const button = element("button", "", example.closest("section").querySelector("h3").firstChild.textContent);
    button.type = "button";
    button.addEventListener("click", () => { fill(example.textContent); clear(); });
    part("[data-examples]").append(button);
  }
  function linked(key) {
    try {
      return decodeURIComponent(location.hash.match(`[#&]${key}=([^&]*)`)?.[1] ?? "");
    } catch {
      return ""; // a link that was cut
    }
  }
  // An exercise's own words, as its page sets them, up to its link and its solution; and the way back to it.
  async function pose() {
    const from = linked("from") && new URL(linked("from"), location);
    task.hidden = !from || from.origin !== location.origin;
    part("[data-examples]").hidden = !task.hidden;
    if (task.hidden) return;
    const back = element("a", "", "Back to the exercise");
    back.href = from;
    task.replaceChildren(back);
    const page = new DOMParser().parseFromString(await (await fetch(from)).text(), "text/html");
    const words = [];
    for (let next = page.getElementById(from.hash.slice(1)); next && !next.matches(".try-link, details"); next = next.nextElementSibling)
      words.push(next);
    words.flatMap((word) => [word, ...word.querySelectorAll("[id]")]).forEach((word) => word.removeAttribute("id"));
    words.flatMap((word) => [...word.querySelectorAll("a[href]")])
      .forEach((link) => (link.href = new URL(link.getAttribute("href"), from)));
    task.prepend(...words);
  }
  addEventListener("hashchange", () => {
    if (linked("text")) fill(linked("text"));
    clear();
    pose();
  });

  let worker, files, timer, running, ready, loaded;
  function clear() { answers.replaceChildren(); status.textContent = said.textContent = ""; }
  function rest(words) {
    clearInterval(timer);
    running = false;
    stop.disabled = bar.hidden = true;
    said.textContent = "";
    status.textContent = words;
  }
  function end(words) {
    worker?.terminate();
    worker = undefined;
    ready = false;
    rest(words);
  }

  function offer(words) {
    absent.firstElementChild.textContent = words;
    absent.hidden = false;
  }
  function fail(words) {
    end(words);
    offer("");
  }

  function show({ kind, label, mathml, reasons, said: line, more }) {
    const item = element("li");
    if (mathml) {
      const equation = element("div", "try-equation");
      equation.tabIndex = 0; // it may scroll
      equation.role = "group";
      equation.ariaLabel = `Equation ${label}`;
      equation.innerHTML = mathml;
      item.append(equation);
    }
    const many = reasons.length > 1;
    const why = element(many ? "ol" : "p", "check-reasons", many ? "" : reasons[0]);
    if (many) why.append(...reasons.map((reason) => element("li", "", reason)));
    item.append(...(reasons.length ? [why] : []), element("p", `check check-${["unread", "same"].includes(kind) ? "undecided" : kind}`, line));
    if (more.length) item.append(element("pre", "", more.join("\n")));
    answers.append(item);
    return `${label} ${line}`;
  }

  function check() {
    if (running || !files) return;
    clear();
    running = true;
    stop.disabled = false;
    let from = performance.now(), last = "";
    const limit = Number(form.dataset.seconds);
    const seconds = () => Math.floor((performance.now() - from) / 1000);
    if (!worker) {
      const total = Object.entries(files).reduce((sum, [name, size]) => sum + (name.endsWith(".mjs") ? 0 : size), 0);
      bar.hidden = false;
      bar.max = total;
      bar.value = loaded = 0;
      status.textContent = "The checker is loading.";
      worker = new Worker(new URL("worker.mjs", base), { type: "module" });
      worker.onerror = () => fail("The checker could not be started.");
    }
    timer = setInterval(() => {
      if (ready && seconds() >= limit) return end(`Stopped after ${limit} s. A smaller step may be quicker.`);
      if (ready) said.textContent = `checking, ${seconds()} s`;
      else said.textContent = `${loaded < bar.max ? `${megabytes(loaded)} of ${megabytes(bar.max)} MB` : "starting"}, ${seconds()} s`;
    }, 200);
    worker.onmessage = ({ data }) => {
      if (data.loaded) bar.value = loaded = data.loaded;
      if (loaded >= bar.max) bar.removeAttribute("value"); // how long it takes to start is not known
      if (data.ready) [ready, bar.hidden, from, status.textContent] = [true, true, performance.now(), "The text is being checked."];
      if (data.answer) last = show(data.answer);
      if (data.failed) fail(`The checker stopped by itself: ${data.failed}`);
      if (data.done) rest(last);
    };
    worker.postMessage({ files: Object.keys(files), text: editor.value });
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); check(); });
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); }
  });
  stop.addEventListener("click", () => end("Stopped."));

  (async () => {
    if (location.protocol === "file:") return offer("Opened from disk, a page may not start the checker.");
    fill(linked("text") || examples[0].textContent);
    pose();
    [form.hidden, absent.hidden] = [false, true]; // before the page is drawn, or it would move
    try {
      files = await (await fetch(new URL("files.json", base))).json();
    } catch {
      form.hidden = true;
      return offer("This copy of the book was built without the checker's files.");
    }
    part("[type=submit]").disabled = false;
  })();
})();
