/**
 * Calls back in the next turn of the event loop, once what has arrived in this one was looked at. No time is
 * waited for.
 */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}
