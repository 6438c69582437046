/** A vitest global setup: each run says which Node it ran on. */
export function setup(): void {
  process.stdout.write(`node ${process.version}\n`);
}
