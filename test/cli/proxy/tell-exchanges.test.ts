import { expect, it } from 'vitest';
import { presentSummary } from '../../../src/cli/proxy/present.ts';
import { isAtLeast, type Judge, tellExchanges } from '../../../src/cli/proxy/tell-exchanges.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { Output } from '../../../src/cli/shell/output.ts';
import type { Finding } from '../../../src/traffic/index.ts';
import { proxyTo } from '../../proxy/harness.ts';
import { memoryStreams } from '../support/memory-streams.ts';

const finding = (level: Finding['level'], seq = 1, times = 1): Finding => ({
  requirement: 'RFC6749-5.1',
  also: [],
  times,
  level,
  by: 'service',
  message: 'The answer may be stored.',
  seq,
});

it('prints each exchange once, with what is wrong with it, and counts that', async () => {
  const { exchanges: log, fetch } = await proxyTo(
    { 'https://api.example': async () => Response.json({ access_token: 'at_0123456789abcdef' }) },
    { to: 'https://api.example' },
  );
  const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
  const memory = memoryStreams(false, environment);
  const output = new Output(memory.streams, { json: true, quiet: false });
  const found: Finding[] = [];
  const judge: Judge = ({ exchange }) => [finding('should', exchange.seq)];
  const told = tellExchanges({
    log,
    output,
    judge,
    width: 80,
    onFinding: (each) => found.push(each),
  });
  const stop = log.follow(() => told.tell());
  await fetch('http://127.0.0.1:4700/a');
  await fetch('http://127.0.0.1:4700/b');
  stop();
  told.tell();
  const printed = memory.stdout.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(printed).toMatchObject([
    { schema: 'agent-auth.proxy-exchange/1', seq: 1, path: '/a', status: 200 },
    { schema: 'agent-auth.proxy-finding/1', seq: 1, level: 'should', by: 'service' },
    { schema: 'agent-auth.proxy-exchange/1', seq: 2, path: '/b' },
    { schema: 'agent-auth.proxy-finding/1', seq: 2 },
  ]);
  expect(memory.stdout.text).not.toContain('at_0123456789abcdef');
  expect(told).toMatchObject({ count: 2, findings: { must: 0, should: 2, may: 0 } });
  expect(found.map(({ seq }) => seq)).toEqual([1, 2]);
});

it('does not fill a terminal with polls that are answered alike', async () => {
  let polls = 0;
  const { exchanges: log, fetch } = await proxyTo(
    {
      'https://api.example': async (request) => {
        await request.text();
        polls += 1;
        return polls < 5
          ? Response.json({ error: 'authorization_pending' }, { status: 400 })
          : Response.json({ access_token: 'at_0123456789abcdef' });
      },
    },
    { to: 'https://api.example' },
  );
  const lines = async (collapse: boolean) => {
    const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
    const memory = memoryStreams(true, environment);
    const output = new Output(memory.streams, { json: false, quiet: false });
    const judge: Judge = () => [];
    const told = tellExchanges({ log, output, judge, collapse, width: 80, onFinding: () => {} });
    told.tell();
    told.end();
    const text = memory.stdout.text;
    return [
      text.match(/\/oauth2\/token/g)?.length,
      /and (\d+) more, answered alike/.exec(text)?.[1],
    ];
  };
  const body =
    'grant_type=urn%3Avendor%3Aagent-auth%3Agrant-type%3Aclaim&claim_token=clt_0123456789';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (let nth = 0; nth < 5; nth += 1) {
    await fetch('http://127.0.0.1:4700/oauth2/token', { method: 'POST', headers, body });
  }
  expect(await lines(true)).toEqual([2, '3']);
  expect(await lines(false)).toEqual([5, undefined]);
});

it('fails on a finding of the named level, and on a stricter one', () => {
  const levels = ['must', 'should', 'may'] as const;
  const failing = levels.map((failOn) =>
    levels.filter((level) => isAtLeast(finding(level), failOn)),
  );
  expect(failing).toEqual([['must'], ['must', 'should'], ['must', 'should', 'may']]);
});

it('tells a person of a mistake once, and counts it behind its exchanges and at the end', async () => {
  const { exchanges: log, fetch } = await proxyTo(
    { 'https://api.example': async () => Response.json({}) },
    { to: 'https://api.example' },
  );
  const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
  const memory = memoryStreams(false, environment);
  const output = new Output(memory.streams, { json: false, quiet: false });
  let times = 0;
  const judge: Judge = ({ exchange }) => {
    times += 1;
    return [{ ...finding('must', exchange.seq, times), also: ['RFC6749-5.2'] }];
  };
  const found: Finding[] = [];
  const told = tellExchanges({
    log,
    output,
    judge,
    width: 160,
    onFinding: (each) => found.push(each),
  });
  for (const path of ['a', 'b', 'c']) await fetch(`http://127.0.0.1:4700/${path}`);
  told.tell();
  output.result(presentSummary(told, undefined, false));
  const lines = memory.stdout.text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
  const full = 'MUST service: The answer may be stored. RFC6749-5.1, RFC6749-5.2';
  expect(lines.map((line) => line.replace(/^.*?\/([abc]).*? (RFC.*)?$/, '$1 $2'))).toEqual([
    expect.stringContaining('/a'),
    full,
    'b RFC6749-5.1, RFC6749-5.2 ×2',
    'c RFC6749-5.1, RFC6749-5.2 ×3',
    '',
    'Summary',
    'Exchanges: 3. Requirements broken: MUST 1, SHOULD 0, MAY 0.',
    `${full} ×3`,
  ]);
  expect(found).toHaveLength(3);
  expect(told.mistakes).toMatchObject([{ seq: 1, times: 3 }]);
});
