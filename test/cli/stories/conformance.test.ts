import type { KeyObject } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBaseline } from '../../../src/conformance/engine/baseline.ts';
import { startMockProviderTarget } from '../../../src/conformance/index.ts';
import { makeKey } from '../../../src/conformance/jwt/forge.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { step } from '../../support/step.ts';
import { testFolder } from '../../support/test-folder.ts';
import { type Judged, judgedMachine, listening } from '../support/judged.ts';

let folder: string;
let judged: Judged;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => judged?.close());

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');
interface Printed {
  readonly id: string;
  readonly level: string;
  readonly status: string;
  readonly reason?: string;
}

function checksOf(report: Record<string, unknown> | undefined): readonly Printed[] {
  const scenarios = (report?.['scenarios'] ?? []) as readonly { checks: readonly Printed[] }[];
  return scenarios.flatMap(({ checks }) => checks);
}

describe('conformance service', () => {
  it('judges a mock of its own, and every check passes', async () => {
    judged = await judgedMachine();
    const { code, stdout, stderr } = await judged.run(
      'conformance service --mock --only anonymous',
    );
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Judging http:\/\/127\.0\.0\.1:\d+/),
    ]);
    expect(stdout).toMatch(
      /^Conforms, of what you selected\.\nProtocol \d+\/\d+ · .*\n(.*\n)*.*passed/,
    );
    expect(stdout).not.toContain('\u001b');
  });

  it('judges a mock that runs on this machine with its controls, and sets its clock right', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    const { code, json } = await judged.run(
      `conformance service ${target} --only anonymous --json`,
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        schema: 'agent-auth.conformance/1',
        role: 'service',
        target,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      },
    ]);
    expect(checksOf(json()[0]).map(({ status }) => status)).not.toContain('skip');
    expect((await judged.run('mock list --json')).code).toBe(0);
    expect(await judged.clockOffset()).toBe(0);
  });

  it('exits 1 when a must is broken, and writes every report that was asked for', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start(['noDelivery']);
    const reports = ['json', 'junit', 'markdown', 'html'].map(
      (format) => `--report ${format}=${file(format)}`,
    );
    const { code, stdout } = await judged.run(
      `conformance service ${target} --only anonymous ${reports.join(' ')}`,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('anonymous.claimed');
    for (const name of ['json', 'junit', 'markdown', 'html']) {
      expect([name, read(name)]).toEqual([name, expect.stringContaining('anonymous.claimed')]);
    }
    expect(JSON.parse(read('json'))).toMatchObject({ target });
  });

  it('exits 0 with a baseline of what fails, and 3 once that is mended', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start(['noDelivery']);
    const line = `conformance service ${target} --only anonymous`;
    const wrote = await judged.run(`${line} --write-baseline ${file('known')}`);
    expect(wrote.code).toBe(0);
    expect(read('known')).toContain('anonymous.claimed');
    const { length } = readBaseline(read('known')).known;
    expect(wrote.stderr).toContain(
      `Wrote ${file('known')}: ${length} known failure${length === 1 ? '' : 's'}.\n`,
    );
    expect((await judged.run(`${line} --baseline ${file('known')}`)).code).toBe(0);
    await judged.setFaults([]);
    const stale = await judged.run(`${line} --baseline ${file('known')}`);
    expect(stale.code).toBe(3);
    expect(stale.stderr).not.toContain('In the baseline');
    expect(stale.stdout).toMatch(/^Conforms, and the baseline is stale, of what you selected\.$/m);
    expect(stale.stdout).toMatch(/In the baseline, but not failing any more: .*anonymous\.claimed/);
    const piped = await judged.run(`${line} --baseline ${file('known')} --report junit`);
    expect(piped.stderr).toMatch(/In the baseline, but not failing any more: .*anonymous\.claimed/);
    const again = await judged.run(`${line} --write-baseline ${file('known')}`);
    expect(again.stderr).toMatch(/: 0 known failures \(taken out: .*anonymous\.claimed.*\)\.$/m);
  });

  it('took a check that there is not in a baseline for one that was not run', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start(['noDelivery']);
    const head = 'schema: agent-auth.conformance-baseline/1\nrole: service\nknown:\n';
    const line = `conformance service ${target} --only anonymous`;
    for (const [check, hint] of [
      ['anonymous.claimd', 'Did you mean anonymous.claimed?'],
      ['nothing-of-the-kind.whatsoever', 'Take it out.'],
    ] as const) {
      writeFileSync(file('known'), `${head}  - check: anonymous.registered\n  - check: ${check}\n`);
      const { code, stderr } = await judged.run(`${line} --baseline ${file('known')}`);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`line 5: there is no check ${check}. ${hint}`),
      ]);
      expect(await judged.registrations()).toBe(0);
    }
    const { stderr } = await judged.run(`${line} --write-baseline ${file('known')}`);
    expect(stderr).toContain('taken out: ');
    expect(read('known')).not.toContain('whatsoever');
    expect((await judged.run(`${line} --baseline ${file('known')}`)).code).toBe(0);
  });

  it('named no report that it wrote, and went on to advise the HTML that was asked for', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    const line = `conformance service ${target} --only skill-file`;
    const with2 = `--report html=${file('html')} --report junit=${file('junit')}`;
    const { stderr, stdout } = await judged.run(`${line} ${with2}`);
    expect(stderr).toContain(`Wrote ${file('html')} (html), ${file('junit')} (junit).`);
    expect(stdout).not.toContain('html=FILE');
    expect((await judged.run(line)).stdout).toContain('html=FILE');
  });

  it('writes a baseline over no other file, and says so before it judges', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    const head = 'schema: agent-auth.conformance-baseline/1\n';
    for (const [text, message] of [
      ['known: [', /is not YAML/],
      ['# Notes\n', /cannot be used/],
      [`${head}role: agent\nknown: []\n`, /is for an agent/],
    ] as const) {
      writeFileSync(file('known'), text);
      const { code, stderr } = await judged.run(
        `conformance service ${target} --only anonymous --write-baseline ${file('known')}`,
      );
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect([read('known'), await judged.registrations()]).toEqual([text, 0]);
    }
  });

  it('exits 1 for a failure that a baseline does not list', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start(['noDelivery']);
    writeFileSync(
      file('known'),
      'schema: agent-auth.conformance-baseline/1\nrole: service\nknown: []\n',
    );
    const { code, stderr } = await judged.run(
      `conformance service ${target} --only anonymous --baseline ${file('known')}`,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/Not in the baseline: .*anonymous\.claimed/);
  });

  it('names its seed in every report, and accepts it again', async () => {
    judged = await judgedMachine();
    const line = 'conformance service --mock --only grants';
    const first = await judged.run(`${line} --report json=${file('json')} --report terminal`);
    const { seed } = JSON.parse(read('json')) as { seed: number };
    expect(Number.isSafeInteger(seed)).toBe(true);
    expect(first.stdout.trimEnd().split('\n').at(-1)).toContain(`--seed ${seed} `);
    const sent = (text: string) => text.match(/urn%3Aexample%3A[a-z-]+/g);
    const again = await judged.run(`${line} --json --seed ${seed}`);
    expect(again.json()).toMatchObject([{ seed }]);
    expect(sent(read('json'))).not.toBeNull();
    expect(sent(again.stdout)).toEqual(sent(read('json')));
  });

  it.each(['-1', '1.5', 'x', '0x10', '1e3', '9007199254740993', ''])(
    'refuses --seed %j in each role',
    async (seed) => {
      judged = await judgedMachine();
      for (const line of ['service --mock', 'provider --mock', 'agent']) {
        const { code, stderr } = await judged.run(`conformance ${line}`, {}, '--seed', seed);
        expect([line, code]).toEqual([line, 2]);
        expect(stderr).toContain('--seed');
        expect(stderr).toContain('a whole number from 0 to');
      }
    },
  );

  it('judges what --only names, without what --skip names', async () => {
    judged = await judgedMachine();
    const { json } = await judged.run(
      'conformance service --mock --json --only anonymous.exch*,anonymous.registered --skip *.registered',
    );
    expect(checksOf(json()[0]).map(({ id }) => id)).toEqual(['anonymous.exchanged']);
  });

  it('judges what --level names and what is stronger', async () => {
    judged = await judgedMachine();
    const { code, json } = await judged.run(
      'conformance service --mock --json --only anonymous --level must',
    );
    expect(code).toBe(0);
    const levels = checksOf(json()[0]).map(
      (check) => (check as unknown as { level: string }).level,
    );
    expect(new Set(levels)).toEqual(new Set(['must']));
  });

  it('skips what has to expire where no clock can be moved, with what to do', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    const { code, json } = await judged.run(
      `conformance service ${target} --no-control --only attempt-expiry --json`,
    );
    expect(code).toBe(9);
    expect(checksOf(json()[0]).map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/--control.*--patience/),
    );
    expect(await judged.clockOffset()).toBe(0);
  });

  it('obtains ID-JAGs by --mint-command where its own provider is not trusted', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    writeFileSync(
      file('mint.mjs'),
      `import { writeFileSync } from 'node:fs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
writeFileSync(${JSON.stringify(file('asked'))}, text);
process.stdout.write('no jwt');`,
    );
    const { code, json } = await judged.run(
      `conformance service ${target} --no-control --only id-jag --json --mint-command`,
      {},
      `${process.execPath} '${file('mint.mjs')}'`,
    );
    expect(code).toBe(9);
    expect(JSON.parse(read('asked'))).toEqual({
      schema: 'agent-auth.mint-command/1',
      service: target,
      email: expect.stringMatching(/^conformance-visitor-[0-9a-f]+@example\.com$/),
    });
    expect(checksOf(json()[0]).map(({ reason }) => reason)).toContain(
      'The command of --mint-command failed: it printed no JWT.',
    );
  });

  it('takes the place of a provider whose keys the service knows, with a key for that issuer', async () => {
    const key = makeKey();
    const jwk = (of: KeyObject) => ({
      ...of.export({ format: 'jwk' }),
      ...{ kid: 'conformance', alg: 'ES256', use: 'sig' },
    });
    writeFileSync(file('key.json'), JSON.stringify(jwk(key.privateKey)), { mode: 0o600 });
    const keys = JSON.stringify({ keys: [jwk(key.publicKey)] });
    const site = await listening((socket) => {
      socket.once('data', () =>
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${keys.length}\r\nconnection: close\r\n\r\n${keys}`,
        ),
      );
    });
    judged = await judgedMachine();
    const issuer = 'https://provider.example';
    const { target } = await judged.start([], { trust: [{ issuer, jwksUri: site.origin }] });
    const { code, json } = await judged.run(
      `conformance service ${target} --no-control --only id-jag --json --provider-issuer ${issuer} --provider-key`,
      {},
      file('key.json'),
    );
    await site.close();
    const checks = checksOf(json()[0]);
    expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
    expect([code, checks.length > 3]).toEqual([0, true]);
  });

  it('creates nothing with --safe, and lists what it skipped', async () => {
    judged = await judgedMachine();
    const { target } = await judged.start();
    const { code, json } = await judged.run(
      `conformance service ${target} --safe --json --only anonymous`,
    );
    expect(code).toBe(0);
    const checks = checksOf(json()[0]);
    expect(checks.length).toBeGreaterThan(0);
    expect(
      checks.every(({ status, reason }) => status === 'skip' && /--safe/.test(reason ?? '')),
    ).toBe(true);
    expect(await judged.registrations()).toBe(0);
  });

  it('ends with 130 when it is interrupted, and closes what it opened', async () => {
    judged = await judgedMachine();
    const { code, stderr } = await judged.run('conformance service --mock', {
      tty: false,
      meanwhile: ({ stderr: screen, stop }) => screen.once('data', () => stop()),
    });
    expect([code, stderr]).toEqual([130, expect.stringContaining('Interrupted')]);
  });

  it('draws a line that moves on a terminal, and prints in colour there', async () => {
    judged = await judgedMachine();
    const { code, streams } = await judged.run('conformance service --mock --only anonymous', {
      tty: true,
    });
    expect(code).toBe(0);
    expect(streams.stderr.text).toMatch(/⠋ Connecting to http:/);
    expect(streams.stderr.text).not.toContain('Judging');
    expect(streams.stdout.raw).toContain('\u001b[');
  });
});

describe('the options of conformance service', () => {
  beforeEach(async () => {
    judged = await judgedMachine();
  });

  it.each<[what: string, line: string, message: RegExp]>([
    ['no target', '', /No service was named/],
    ['a target beside --mock', 'http://127.0.0.1:1 --mock', /leave the URL out/],
    ['a target that is not a URL', 'http://', /cannot be used/],
    ['a plain http target elsewhere', 'http://service.example', /http is allowed for this/],
    ['a name that is no check', '--mock --only anonymos', /--only anonymos matches no scenario/],
    ['a check with a slip', '--mock --only skil-file', /Did you mean skill-file\?/],
    ['a format that is none', '--mock --report pdf', /--report pdf/],
    ['a report without its file', '--mock --report html=', /--report html=/],
    ['a report into no folder', '--mock --report html=/nonexistent/x.html', /cannot be written/],
    ['two reports on stdout', '--mock --report junit --report json', /Only one --report/],
    ['--json and a report on stdout', '--mock --report junit --json', /--json prints the report/],
    ['a baseline that is not there', '--mock --baseline /nonexistent', /it does not exist/],
    ['a level that is none', '--mock --level most', /must, should, may/],
    ['a command without its driver', '--mock --user-command true', /belong together/],
    ['a key beside --mock', '--mock --provider-key /nonexistent', /leave --provider-key out/],
    ['a service beside --mock', '--mock --service http://127.0.0.1:1', /leave the URL out/],
    ['controls beside --mock', '--mock --control http://127.0.0.1:1', /leave --control out/],
    [
      'controls without a token',
      'http://127.0.0.1:1 --control http://127.0.0.1:1',
      /There is no token/,
    ],
    [
      'a key that is not there',
      'http://127.0.0.1:1 --provider-key /nonexistent',
      /it does not exist/,
    ],
  ])('refuse %s', async (_what, line, message) => {
    const { code, stderr, json } = await judged.run(`conformance service ${line}`.trim());
    const text = stderr === '' ? JSON.stringify(json()) : stderr;
    expect([code, text]).toEqual([2, expect.stringMatching(message)]);
  });

  it('refuse a key that others can read, and a baseline of another role', async () => {
    writeFileSync(file('key'), JSON.stringify(makeKey().privateKey.export({ format: 'jwk' })));
    chmodSync(file('key'), 0o644);
    const open = await judged.run(
      `conformance service http://127.0.0.1:1 --provider-key ${file('key')}`,
    );
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
    writeFileSync(
      file('known'),
      'schema: agent-auth.conformance-baseline/1\nrole: provider\nknown: []\n',
    );
    const other = await judged.run(`conformance service --mock --baseline ${file('known')}`);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('for a provider')]);
  });

  it('take the token of --control from the environment, and the controls say no to a wrong one', async () => {
    const { target } = await judged.start();
    const { code, stderr } = await judged.run(
      `conformance service ${target} --only anonymous --control ${target}`,
      { env: { AGENT_AUTH_CONTROL_TOKEN: 'ctl_wrong' } },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/The control API refused \/__mock: 401/);
    expect(stderr).not.toContain('ctl_wrong');
  });
});

describe('a target that is no service', () => {
  beforeEach(async () => {
    judged = await judgedMachine();
  });

  const judge = (target: string, timeout = '300ms') =>
    judged.run(`conformance service ${target} --timeout ${timeout} --json`);

  it('is one line and exit 7 when nothing listens', async () => {
    const peer = await listening((socket) => socket.destroy());
    await peer.close();
    const { code, json } = await judge(peer.origin);
    expect([code, json()]).toMatchObject([
      7,
      [
        {
          error: {
            code: 'target_unreachable',
            message: expect.stringContaining('Nothing listens'),
          },
        },
      ],
    ]);
  });

  it('is exit 7, within the timeout, when it never answers', async () => {
    const peer = await listening(() => {});
    const patient = judge(peer.origin, '50s');
    const { code, json } = await Promise.race([judge(peer.origin), patient]);
    await peer.close();
    // A request with more time is still waiting; only now does its connection end.
    expect((await patient).stdout).not.toContain('in time');
    expect([code, json()]).toMatchObject([
      7,
      [{ error: { code: 'target_unreachable', message: expect.stringContaining('in time') } }],
    ]);
  });

  it.each<[what: string, answer: string, message: RegExp]>([
    [
      'a web page',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<html></html>',
      /published at .* yet: it answers 200, with a web page/,
    ],
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nlocation: https://www.example/\r\ncontent-length: 0\r\n\r\n',
      /redirects to https:\/\/www\.example\/; name the URL that it redirects to/,
    ],
    [
      'JSON that says 404',
      'HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
      /published at .* yet: it answers 404/,
    ],
  ])('is one line and exit 1 when it is %s', async (_what, answer, message) => {
    const peer = await listening((socket) => {
      socket.on('data', () => socket.write(answer));
    });
    const { code, json } = await judge(peer.origin);
    await peer.close();
    expect([code, json()]).toMatchObject([
      1,
      [{ error: { code: 'bad_target', message: expect.stringMatching(message) } }],
    ]);
  });
});

describe('a service that publishes nothing yet', () => {
  it('is told so, and what judges its first step', async () => {
    judged = await judgedMachine();
    const peer = await listening((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
    });
    const { json } = await judged.run(`conformance service ${peer.origin} --json`);
    await peer.close();
    expect(json()).toMatchObject([
      {
        error: {
          message: expect.stringMatching(/^Nothing for agents is published at \S+ yet: /),
          hint: expect.stringContaining('docs/make-a-service-agent-ready.md'),
          next: step(`agent-auth lint ${peer.origin}`),
        },
      },
    ]);
  });
});

describe('a target of the other kind', () => {
  beforeEach(async () => {
    judged = await judgedMachine();
  });

  it('is one line that names the command for it: a provider judged as a service', async () => {
    const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
    const provider = await startMockProviderTarget({ ...ports, fetch: createSystemFetch() });
    const { code, json } = await judged.run(`conformance service ${provider.target} --json`);
    await provider.close();
    const message = expect.stringMatching(
      /is not a service: .* Judge it with: conformance provider/,
    );
    expect([code, json()]).toMatchObject([1, [{ error: { code: 'bad_target', message } }]]);
  });

  it('is one line that names the command for it: a service judged as a provider', async () => {
    const { target } = await judged.start();
    const { code, json } = await judged.run(`conformance provider ${target} --json`);
    const message = expect.stringMatching(
      /is not a provider: .* Judge it with: conformance service/,
    );
    expect([code, json()]).toMatchObject([1, [{ error: { code: 'bad_target', message } }]]);
  });
});

describe('conformance list', () => {
  beforeEach(async () => {
    judged = await judgedMachine();
  });

  it('names each check with its level and its requirements', async () => {
    const { code, stdout } = await judged.run('conformance list --role service');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^conformance service {2}\d+ scenarios, \d+ checks: \d+ must/);
    expect(stdout).toMatch(
      /^ {2}must +anonymous\.registered {2}\S.+\.( \[[^\]]*[A-Z]+-[^\]]*\])?$/m,
    );
  });

  it('gives the same as JSON, for a level and what is stronger', async () => {
    const { json } = await judged.run('conformance list --level must --json');
    const [listed] = json();
    expect(listed).toMatchObject({ schema: 'agent-auth.conformance-list/1' });
    const levels = checksOf(listed).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(['must']));
  });

  it('left out the stronger rules of a level, and where sources disagree', async () => {
    const { json } = await judged.run('conformance list --role provider --level should --json');
    expect(json()[0]).toMatchObject({
      rules: expect.arrayContaining([expect.objectContaining({ level: 'must' })]),
      clashes: expect.arrayContaining([expect.objectContaining({ requirement: 'SET-03' })]),
    });
    const { stdout } = await judged.run('conformance list --role provider');
    expect(stdout).toMatch(/^ {2}SET-03 {2}Judged: no `exp`.+; .+ only warns\.$/m);
  });
});
