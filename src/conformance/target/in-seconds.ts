/** Milliseconds as a duration of the command line and the control API, rounded up: `61s`. */
export function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)}s`;
}
