// Stops the mocks at the end of the job, and shows what they said.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const pid = Number(process.env['STATE_pid']);
const log = process.env['STATE_log'] ?? '';
/** Milliseconds until the mocks have to be gone. */
const PATIENCE = 10_000;
const PAUSE = 50;
/** Characters. */
const MOST_SHOWN = 200_000;

function isRunning() {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (Number.isInteger(pid) && pid > 0) {
  if (isRunning()) {
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; isRunning() && waited < PATIENCE; waited += PAUSE) await sleep(PAUSE);
    if (isRunning()) process.kill(pid, 'SIGKILL');
  } else {
    process.stdout.write('::warning title=agent-auth mock::The mocks ended before the job did.\n');
  }
}
if (existsSync(log)) {
  const text = readFileSync(log, 'utf8');
  // A line of the mocks is no command for the runner.
  const mark = randomUUID();
  process.stdout.write(`::group::What the mocks said\n::stop-commands::${mark}\n`);
  process.stdout.write(`${text.slice(-MOST_SHOWN).trimEnd()}\n`);
  process.stdout.write(`::${mark}::\n::endgroup::\n`);
}
