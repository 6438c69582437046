import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/conformance/index.ts';
import type { ServiceFaultName } from '../../../src/mock-service/index.ts';
import { testFolder } from '../../support/test-folder.ts';
import { type Judged, judgedMachine, listening } from '../support/judged.ts';

let folder: string;
let judged: Judged;
beforeEach(async () => {
  folder = testFolder();
  judged = await judgedMachine();
});
afterEach(() => judged.close());

/** A baseline that lists these checks. */
function baseline(...checks: readonly string[]): string {
  const file = join(folder, 'known.yaml');
  const known = checks.map((check) => ({ check }));
  writeFileSync(
    file,
    JSON.stringify({ schema: 'agent-auth.conformance-baseline/1', role: 'service', known }),
  );
  return `--baseline ${file}`;
}

/** Lets everything through to a service, until it has passed `most` requests: then nothing listens any more. */
async function dyingAfter(most: number, target: string) {
  let passed = 0;
  const server = createServer((incoming, outgoing) => {
    passed += 1;
    if (passed > most) {
      server.close();
      server.closeAllConnections();
      return;
    }
    const onward = request(
      new URL(incoming.url ?? '/', target),
      // The host that it knows itself by.
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Row {
  readonly exit: number;
  readonly what: string;
  readonly faults?: readonly ServiceFaultName[];
  readonly line: () => string;
  /** After the line, with spaces in them. */
  readonly words?: readonly string[];
}

/** It prints no ID-JAG, so that a story of the core cannot be judged. */
const UNJUDGED = { words: ['--mint-command', `${process.execPath} -e 0`] };

/** Of two reasons, the one that is further up decides. */
const ROWS: readonly Row[] = [
  {
    exit: 2,
    what: 'wrong usage before what fails',
    faults: ['noDelivery'],
    line: () => `--only anonymous --report html=${join(folder, 'none', 'x.html')}`,
  },
  {
    exit: 1,
    what: 'a failure before a stale baseline',
    faults: ['noDelivery'],
    line: () => `--only anonymous ${baseline('anonymous.registered')}`,
  },
  {
    exit: 1,
    what: 'a failure before what was not judged',
    faults: ['noDelivery'],
    line: () => '--no-control --only id-jag,anonymous',
    ...UNJUDGED,
  },
  {
    exit: 3,
    what: 'a stale baseline before what was not judged',
    line: () => `--no-control --only id-jag,anonymous ${baseline('anonymous.claimed')}`,
    ...UNJUDGED,
  },
  {
    exit: 9,
    what: 'a story of the core that was not judged, and nothing else',
    line: () => '--no-control --only id-jag,anonymous',
    ...UNJUDGED,
  },
  { exit: 9, what: 'nothing judged', line: () => '--no-control --only attempt-expiry' },
  { exit: 0, what: 'all is well', line: () => '--only anonymous' },
];

describe('the exit code of a run', () => {
  it.each(ROWS)('is $exit: $what', async ({ exit, faults, line, words = [] }) => {
    const { target } = await judged.start(faults);
    const { code, stderr } = await judged.run(
      `conformance service ${target} ${line()}`,
      {},
      ...words,
    );
    expect([code, stderr]).toEqual([exit, expect.any(String)]);
  });

  it('is 2 before the target is asked for anything, and 7 where it never answers', async () => {
    const peer = await listening((socket) => socket.destroy());
    await peer.close();
    const line = `conformance service ${peer.origin}`;
    expect((await judged.run(`${line} --only nothing-such`)).code).toBe(2);
    expect((await judged.run(line)).code).toBe(7);
  });

  it('left no file for the list of tests where it is 7, and the one of an earlier run is none', async () => {
    const peer = await listening((socket) => socket.destroy());
    await peer.close();
    const [junit, html, json] = ['x.xml', 'x.html', 'x.json'].map((name) => join(folder, name));
    writeFileSync(String(junit), 'of an earlier run');
    const reports = `--report junit=${junit} --report html=${html} --report json=${json}`;
    const { code, stdout } = await judged.run(`conformance service ${peer.origin} ${reports}`);
    expect([code, stdout, existsSync(String(json))]).toEqual([7, '', false]);
    const text = readFileSync(String(junit), 'utf8');
    expect(text).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="1"/);
    expect(text).toMatch(/<error message="[^"]*127\.0\.0\.1/);
    expect(readFileSync(String(html), 'utf8')).toContain('Inconclusive');
    const printed = await judged.run(
      `conformance service ${peer.origin} --report junit=${junit} --json`,
    );
    expect(printed.json()).toMatchObject([{ error: { exit_code: 7 } }]);
  });

  it('was 1, as of a service that fails, where the port of --provider-port was in use', async () => {
    const { target } = await judged.start();
    const taken = await listening(() => undefined);
    const { port } = new URL(taken.origin);
    try {
      const { code, stdout, stderr } = await judged.run(
        `conformance service ${target} --only anonymous --provider-port ${port}`,
      );
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`127.0.0.1 port ${port} is in use`);
    } finally {
      await taken.close();
    }
  });

  it('was 1 after the whole run where a report could not be written, and said no reason', async () => {
    const { target } = await judged.start();
    const { code, stdout, stderr } = await judged.run(
      `conformance service ${target} --only anonymous --report junit=/proc/agent-auth-test.xml`,
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /\/proc\/agent-auth-test\.xml cannot be written: it|\/proc.*: its folder/,
    );
    expect(await judged.registrations()).toBe(0);
  });

  it.runIf(existsSync('/dev/full'))(
    'is 2 where a report cannot be written after all, and the other reports are there',
    async () => {
      const { target } = await judged.start();
      const file = join(folder, 'report.json');
      const { code, stdout, stderr } = await judged.run(
        `conformance service ${target} --only anonymous --report junit=/dev/full --report json=${file}`,
      );
      expect([code, stdout]).toEqual([2, expect.stringMatching(/^Conforms/)]);
      expect(stderr).toContain('/dev/full cannot be written: the disk is full.');
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ role: 'service' });
    },
  );

  it('is 1 where the target answered and then stopped for good, and every report says so', async () => {
    const { target } = await judged.start();
    const dying = await dyingAfter(6, target);
    const file = join(folder, 'report.json');
    try {
      const { code, stdout } = await judged.run(
        `conformance service ${dying.origin} --no-control --patience 1s --only challenge,resource-metadata,anonymous --report json=${file}`,
      );
      const { verdict } = JSON.parse(readFileSync(file, 'utf8')) as Report;
      expect([code, verdict.outcome]).toEqual([1, 'does_not_conform']);
      expect(verdict.died).toMatch(/^The target stopped answering after (GET|POST) http/);
      expect(stdout).toContain('The target stopped answering');
    } finally {
      dying.close();
    }
  });
});
