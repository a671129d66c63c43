// The one queue of the page: whatever is written goes out one after the other, each worked out when its turn has come.

const AGAIN = 2000; // milliseconds until something is tried again that got no answer
let last = Promise.resolve();
let waiting = 0;

/** Runs `job` when all that came before is done; resolves to what it gives. A job must not wait for another one. */
export function inTurn(job) {
  waiting += 1;
  const mine = last.then(job).finally(() => { waiting -= 1; });
  last = mine.catch(() => {});
  return mine;
}

/** Asks until there is an answer, also while the studio does not answer. */
export async function untilAnswered(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

/** Whether somebody types in `field` and has not done yet. */
export function isTyped(field) {
  return field?.dataset?.was !== undefined && field.value !== field.dataset.was;
}

// A page with something unwritten asks before it is closed.
addEventListener("beforeunload", (event) => {
  if (waiting || isTyped(document.activeElement)) event.preventDefault();
});
