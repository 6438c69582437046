import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCredentialFile } from '../../src/agent/credentials/credential-file.ts';
import { lockedPath } from '../../src/agent/credentials/file-lock.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json } from './support/fake-web.ts';

const run = promisify(execFile);

/** Resolves, for all at once, when so many have come. */
function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let come = 0;
  return () => {
    come += 1;
    if (come === count) open();
    return opened;
  };
}

describe('registering at once, in one process over a store without locks', () => {
  /** An agent whose service gives each registration another id, once all know its metadata. */
  function benchOf(count: number): Bench {
    const bench = new Bench();
    const together = barrier(count);
    let made = 0;
    bench.web.on(ENDPOINT.serverMetadata, async () => {
      await together();
      return json(serverMetadata());
    });
    bench.web.on(ENDPOINT.identity, () => {
      made += 1;
      return json(ANSWER.anonymous({ registration_id: `reg_${made}` }));
    });
    return bench;
  }

  it('registered once for each command: 25 connect, one registers', async () => {
    const bench = benchOf(25);
    const agents = Array.from({ length: 25 }, () => bench.another());
    const outcomes = await Promise.all(agents.map((each) => each.connect({ service: SERVICE })));
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
    expect(outcomes.filter((each) => 'already' in each && !each.already)).toHaveLength(1);
  });

  it('registers each time where another registration is wanted', async () => {
    const bench = benchOf(3);
    const request = { service: SERVICE, type: 'anonymous', reuse: true, anew: true } as const;
    await Promise.all([1, 2, 3].map(() => bench.another().register(request)));
    expect((await bench.store.read()).services[0]?.registrations).toHaveLength(3);
  });

  it('goes on when the one before it failed, and ends when its caller stops it', async () => {
    const bench = benchOf(2);
    const request = { service: SERVICE, type: 'anonymous', reuse: true } as const;
    const stop = new AbortController();
    let stopped: Promise<unknown> | undefined;
    bench.web.on(
      ENDPOINT.identity,
      async () => {
        stop.abort();
        await stopped;
        return json({ error: 'invalid_request' }, 400);
      },
      json(ANSWER.anonymous()),
    );
    const first = failure(bench.another().register(request));
    stopped = failure(bench.another().register({ ...request, signal: stop.signal }));
    expect(await stopped).toMatchObject({ code: 'aborted' });
    expect(await first).toMatchObject({ code: 'invalid_request' });
    expect(await bench.another().register(request)).toMatchObject({ already: false });
  });
});

describe('registering at once, by processes with one credential file', () => {
  let root: string;
  let registrar: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
    registrar = join(root, 'registrar.mjs');
    const input = fileURLToPath(new URL('./support/registrar.ts', import.meta.url));
    const bundle = await rolldown({ input, platform: 'node' });
    await bundle.write({ file: registrar, format: 'esm', codeSplitting: false });
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('left one registration for each command', async () => {
    const folder = join(root, 'at-once');
    const { service, sent, close } = await serve(4);
    const ends = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, [registrar, folder, service])),
    );
    close();
    expect(ends.map(({ stdout }) => stdout).sort()).toEqual(['false', 'true', 'true', 'true']);
    expect(sent.filter((each) => each === '/agent/identity')).toHaveLength(1);
    const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
    expect((await store.read()).services[0]?.registrations).toHaveLength(1);
  });

  it('says that it waits, and takes over the lock of a process that died', async () => {
    const folder = join(root, 'killed');
    const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
    const holder = spawn(process.execPath, [registrar, folder, '', 'name']);
    await once(holder.stdout, 'data');
    const ended = once(holder, 'exit');
    const onWait = async () => {
      holder.kill('SIGKILL');
      await ended;
      // The five seconds after which a lock is taken for abandoned.
      const longAgo = new Date(Date.now() - 60_000);
      utimesSync(`${lockedPath(store.location, 'name')}.lock`, longAgo, longAgo);
    };
    const release = await store.lock?.('name', { onWait });
    expect(holder.killed).toBe(true);
    await release?.();
  });
});

/** A service that answers nobody about itself before so many have asked. */
async function serve(count: number) {
  const sent: string[] = [];
  const together = barrier(count);
  const server = createServer(async ({ url = '' }, response) => {
    sent.push(url);
    if (url.startsWith('/.well-known/oauth-authorization-server')) await together();
    const here = url.split('?')[0] ?? '';
    const body = answers[here];
    const { port } = server.address() as AddressInfo;
    const text = JSON.stringify(body ?? {}).replaceAll(SERVICE, `http://127.0.0.1:${port}`);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { service: `http://127.0.0.1:${port}`, sent, close: () => server.close() };
}

const lasting = new Date(Date.now() + 24 * 3600_000).toISOString();

const answers: Readonly<Record<string, object>> = {
  '/.well-known/oauth-protected-resource': resourceMetadata(),
  '/.well-known/oauth-authorization-server': serverMetadata({ agent_auth: agentAuth() }),
  '/agent/identity': ANSWER.anonymous({ assertion_expires: lasting, claim_token_expires: lasting }),
  '/oauth2/token': ANSWER.token(),
};
