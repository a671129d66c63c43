// Runs the program in Pyodide, away from the page, so that the page stays alive. It is started from a blob, so that
// the page's policy holds here too: nothing can be fetched but files from beside the page.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const EVERY = 100; // milliseconds between two words on the progress
let said = 0;
let what = "";

const told = (now, done, of) => {
  if (now === what && Date.now() - said < EVERY) return;
  [what, said] = [now, Date.now()];
  postMessage({ progress: { what: now, done, of } });
};

const here = new URL(".", import.meta.url).href;
const ready = (async () => {
  const pyodide = await loadPyodide({ indexURL: `${here}pyodide/`, packages: ["vassal-umpire"], checkAPIVersion: true });
  told("starting the program", 0, 0);
  const calls = pyodide.pyimport("vassal_umpire.plugin.web.calls").Calls("/umpire", told);
  return { pyodide, calls };
})();
ready.then(({ calls }) => postMessage({ ready: true }) ?? calls.warm(), (error) => postMessage({ dead: String(error.message || error) }));

onmessage = async ({ data: { id, call, given } }) => {
  let values = [];
  try {
    const { pyodide, calls } = await ready;
    values = given.map((value) => pyodide.toPy(value));
    const made = calls[call](...values);
    const answer = made?.toJs ? made.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false }) : {};
    made?.destroy?.();
    const files = (answer.files || []).map((path) => ({ name: path.split("/").pop(), bytes: pyodide.FS.readFile(path) }));
    postMessage({ id, answer: { ...answer, files } }, files.map((file) => file.bytes.buffer));
  } catch (error) {
    postMessage({ id, broken: String(error.message || error) });
  } finally {
    for (const value of values) value?.destroy?.();
  }
};
