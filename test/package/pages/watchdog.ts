import { type ChildProcess, spawn } from 'node:child_process';

/** Reads `+ GROUP` and `- GROUP`; when its stdin ends, ends the groups that are left. */
const SCRIPT = `
declare -A alive
while read -r sign group; do
  if [ "$sign" = + ]; then alive[$group]=1; else unset "alive[$group]"; fi
done
for group in "\${!alive[@]}"; do kill -KILL -- "-$group" 2>/dev/null; done
`;

/** Ends the programs of a test process that is killed before it could end them itself: its pipe to here ends with it. */
export class Watchdog {
  readonly #child = spawn('bash', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });

  /** @param child the first of a process group of its own (`detached`). */
  watch(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#child.stdin.write(`+ ${pid}\n`);
    child.once('close', () => {
      if (this.#child.stdin.writable) this.#child.stdin.write(`- ${pid}\n`);
    });
  }

  /** What it watches and still runs ends, as if this process had been killed. */
  end(): void {
    this.#child.stdin.end();
  }
}
