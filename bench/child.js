import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * A server in a process of its own, which ends with this one.
 * @typedef {object} Child
 * @property {string} origin
 * @property {() => Promise<number>} cpu the microseconds that it has computed so far, all threads of it
 * @property {() => Promise<void>} close
 */

/**
 * @param {'mock' | 'bare'} side
 * @param {string} row
 * @param {import('./rows.js').Prepared} [prepared] what a bare handler has to know
 * @returns {Promise<Child>}
 */
export async function startServer(side, row, prepared) {
  const script = new URL('serve.js', import.meta.url);
  const child = fork(script, [JSON.stringify({ side, row, prepared })]);
  const ended = once(child, 'exit');
  const answer = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      ended.then(([code]) =>
        Promise.reject(new Error(`The ${side} of ${row} ended with ${code}.`)),
      ),
    ]);
  /** @type {string} */
  const origin = await answer();
  return {
    origin,
    cpu: () => {
      child.send('cpu');
      return answer();
    },
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
