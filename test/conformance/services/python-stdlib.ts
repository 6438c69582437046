/**
 * A right service on the standard library of Python: anonymous and service_auth, with opaque assertions. It is a
 * process of its own, which ends with its standard input, and so with this one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { RunningService, ServiceOptions } from './support.ts';

export { PYTHON_BUGS } from './python-stdlib/bugs.ts';

interface Closable {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws Error when there is no `python3`, with what it says. */
export async function startPython(options: ServiceOptions = {}): Promise<RunningService> {
  const clock = options.now && (await startClock(options.now));
  const child = spawn(
    'python3',
    [
      scriptPath(),
      ...(clock === undefined ? [] : ['--clock-url', clock.url]),
      ...(options.bug === undefined ? [] : ['--bug', options.bug]),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  return {
    url: await firstLine(child),
    close: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      await clock?.close();
    },
  };
}

/** Beside this file, or, where it was bundled, in the working directory's project. */
function scriptPath(): string {
  const folder = import.meta.url.includes('/.cache/') ? '../test/conformance/services/' : './';
  return fileURLToPath(new URL(`${folder}python-stdlib/service.py`, import.meta.url));
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  const failed = once(child, 'error').then(([error]) => {
    throw new Error('python3 could not be started', { cause: error });
  });
  const read = (async () => {
    for await (const part of child.stdout ?? []) {
      text += String(part);
      if (text.includes('\n')) return text.trim();
    }
    throw new Error('the service in Python ended before it said its address');
  })();
  return Promise.race([read, failed]);
}

/** Tells the time to a process that cannot share a clock. */
async function startClock(now: () => number): Promise<Closable> {
  const server = createServer((_, response) => response.end(String(Math.round(now()))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was bound');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
