import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import express, { type Express } from 'express';
import { describe, expect, it } from 'vitest';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { type JudgeOptions, judge } from '../../../src/testing/testing.ts';
import { createApp } from '../../conformance/services/express-defaults.ts';
import { newMachine, type Run, runCli } from '../support/run-cli.ts';

/** The rows of the checklist: what a step announces, and how it is judged. */
interface Step {
  readonly number: number;
  readonly announces: readonly string[];
  readonly options: string;
}

const PAGE = join(import.meta.dirname, '../../../docs/make-a-service-agent-ready.md');
const STEPS = readChecklist(readFileSync(PAGE, 'utf8'));

/** What the service has from which step on; step 6 and those after 7 add nothing that is judged here. */
const ROUTES: readonly (readonly [step: number, paths: readonly string[]])[] = [
  [
    1,
    [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/auth.md',
    ],
  ],
  [2, ['/api/resource']],
  [3, ['/agent/identity', '/keys.json']],
  [4, ['/oauth2/token', '/oauth2/revoke']],
  [5, ['/agent/identity/claim', '/claim', '/sign-in']],
  [7, ['/agent/event/notify']],
];

describe('the checklist of docs/make-a-service-agent-ready.md', () => {
  it('has options of the suite for each step that can be judged', () => {
    const numbers = STEPS.filter(({ options }) => options.startsWith('--'));
    expect(numbers.map(({ number }) => number)).toEqual([2, 3, 4, 5, 7, 8, 9]);
    expect(STEPS.flatMap(({ announces }) => announces)).toContain('claim_endpoint');
  });

  it.each([2, 3, 4, 5, 7])('passes by the command of step %i once that is built', async (step) => {
    const { conforms, text } = await judgeAt(step, step);
    expect([conforms, text]).toEqual([true, expect.stringMatching(/^Conforms/)]);
  });

  // What is not announced is not judged, so ID-JAGs are not missed before step 7.
  it.each([2, 3, 4, 5])('fails by the command of step %i before that is built', async (step) => {
    expect((await judgeAt(step - 1, step)).conforms).toBe(false);
  });

  it.each([1, 4])('misses the claim endpoint alone, says lint after step %i', async (step) => {
    const { code, stdout } = await lint(step);
    expect([code, stdout]).toEqual([1, expect.stringContaining('✗ 1 error.')]);
    expect(stdout).toContain('claim-endpoint-missing');
  });

  it('finds nothing, says lint after step 5', async () => {
    expect((await lint(5)).code).toBe(0);
  });
});

/** By what the page says for a step, a service that is built as far as another one; on a clock that moves. */
async function judgeAt(built: number, step: number) {
  const { options } = STEPS[step - 1] ?? { options: '' };
  return judge(({ clock, origin, providers }) => {
    const trusted = options.includes('--provider-port') ? providers : [];
    return build(built, { url: origin, trusted, now: () => clock.now() });
  }, judgeOptions(options));
}

function judgeOptions(line: string): JudgeOptions {
  const { values } = parseArgs({
    args: line.split(' '),
    options: {
      safe: { type: 'boolean' },
      section: { type: 'string' },
      only: { type: 'string' },
      skip: { type: 'string' },
      'provider-port': { type: 'string' },
    },
  });
  const { only, section, skip } = values;
  if (section !== undefined && section !== 'protocol') throw new Error(section);
  return {
    resource: '/api/resource',
    ...(values.safe && { safe: true }),
    ...(section && { section }),
    ...(only && { only: only.split(',') }),
    ...(skip && { skip: skip.split(',') }),
  };
}

async function lint(step: number): Promise<Run> {
  const outer = express();
  const server = createServer(outer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  outer.use(await build(step, { url, trusted: [], now: Date.now }));
  const machine = { ...newMachine(), network: createSystemFetch() };
  const run = await runCli(machine, ['lint', url]);
  server.close();
  server.closeAllConnections();
  return run;
}

/** A right service that has its first steps, and announces no more than these. */
async function build(step: number, options: Parameters<typeof createApp>[0]): Promise<Express> {
  const app = express();
  const there = ROUTES.filter(([from]) => from <= step).flatMap(([, paths]) => paths);
  const later = new Set(
    STEPS.filter(({ number }) => number > step).flatMap(({ announces }) => announces),
  );
  app.use(({ path }, response, next) => {
    if (there.includes(path)) next();
    else response.status(404).end();
  });
  app.get('/.well-known/oauth-authorization-server', (_request, response, next) => {
    const json = response.json.bind(response);
    response.json = (document: unknown) => json(without(later, document));
    next();
  });
  return app.use(await createApp(options));
}

/** What is announced, without these members and values, and lists that they leave empty. */
function without(names: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !names.has(String(one)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, without(names, member)]));
}

function readChecklist(page: string): readonly Step[] {
  return page.split('\n').flatMap((line) => {
    const [, number, , announces = '', options = ''] = line.split(/(?<!\\)\|/);
    if (!/^ \d+ $/.test(number ?? '')) return [];
    const ticked = [...announces.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const [, command = ''] = /`([^`]+)`/.exec(options) ?? [];
    return [{ number: Number(number), announces: ticked, options: command }];
  });
}
