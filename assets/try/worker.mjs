// The checker, in Pyodide, away from the page. Everything comes from this folder; what a reader types is read, not run.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL("./", import.meta.url);

// All that is fetched is counted as it comes.
const plain = self.fetch.bind(self);
let loaded = 0;
self.fetch = async (...request) => {
  const answer = await plain(...request);
  if (!answer.ok) throw new Error(`${answer.url} cannot be loaded (${answer.status})`);
  const counted = new TransformStream({
    transform(chunk, onward) {
      postMessage({ loaded: (loaded += chunk.length) });
      onward.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counted), { headers: answer.headers });
};

async function start(names) {
  const packages = names.filter((name) => /^(?!python_stdlib).*\.(whl|zip)$/.test(name));
  const bytes = packages.map(async (name) => (await fetch(new URL(name, here))).arrayBuffer());
  const [python, ...archives] = await Promise.all([loadPyodide(), ...bytes, import("./katex.mjs")]);
  const site = python.runPython("import site; site.getsitepackages()[0]");
  packages.forEach((name, i) => python.unpackArchive(archives[i], "zip", { extractDir: site }));
  python.runPython(`
import json
from posenc_proofs.derivation.answers import answers
def told(text):
    return (json.dumps(answer._asdict()) for answer in answers(text))`);
  return python.globals.get("told");
}

// MathML without the TeX, which nobody is shown; what KaTeX does not know is shown as it is written.
const typeset = (tex) =>
  katex.renderToString(tex, { displayMode: true, output: "mathml", throwOnError: false }).replace(/<annotation .*?<\/annotation>/s, "");

let started;
addEventListener("message", async ({ data: { files, text } }) => {
  try {
    const told = await (started ??= start(files));
    postMessage({ ready: true });
    for (const said of told(text)) {
      const answer = JSON.parse(said);
      postMessage({ answer: { ...answer, mathml: answer.latex && typeset(answer.latex) } });
    }
    postMessage({ done: true });
  } catch (problem) {
    postMessage({ failed: String(problem.message ?? problem).trim().split("\n").at(-1) });
  }
});
