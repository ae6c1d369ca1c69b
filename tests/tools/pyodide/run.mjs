// The statements' answers, as the checker gives them in Pyodide: one line of JSON, with the seconds since the start.
import { pathToFileURL } from "node:url";

const [, , packages, checker, statements] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${packages}/node_modules/pyodide/pyodide.mjs`));
const seconds = () => performance.now() / 1000;

const python = await loadPyodide();
for (const [inside, outside] of Object.entries({ packages: `${packages}/site`, checker, statements })) {
  python.mountNodeFS(`/${inside}`, outside);
}
const started = seconds();
python.runPython(`
import sys
sys.dont_write_bytecode = False  # the packages' is kept: a second run reads it
sys.path += ["/packages", "/checker", "/statements"]
import statements
first = next(statements.answers())`);
const first = seconds();
const answers = python.runPython("import json; json.dumps([first, *statements.answers()][1:])");
const loaded = python.runPython("'torch' in sys.modules");
console.log(JSON.stringify({ started, first, all: seconds(), torch: loaded, answers: JSON.parse(answers) }));
