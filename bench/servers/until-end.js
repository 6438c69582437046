/**
 * Tells the bench where this server is, and ends with its input: no server outlives the bench.
 *
 * @param {string} origin
 * @param {() => Promise<void>} close
 */
export function serveUntilEnd(origin, close) {
  process.stdout.write(`${origin}\n`);
  process.stdin.resume().once('end', () => {
    close().then(() => process.exit(0));
  });
}
