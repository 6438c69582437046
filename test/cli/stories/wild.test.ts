import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemFetch } from '../../../src/runtime/index.ts';
import { serveWild } from '../../support/wild-web.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

type Row = readonly [
  name: string,
  exit: number,
  /** Verdict, and the candidates where there are some. */
  found: string,
  /** The code of the error; `-`: there is none. */
  error: string,
  /** The command to type next. */
  next: string,
];

/** What `discover` says of each published document that is served on this machine. */
const ROWS: readonly Row[] = [
  ['agent-auth-aivized', 1, 'published_only', 'no_registration', 'skill'],
  ['agent-auth-canagentuse', 1, 'published_only', 'no_registration', 'skill'],
  ['agent-auth-monoes', 0, 'usable: first, flat', '-', 'register'],
  ['agent-auth-null-none', 1, 'published_only', 'no_registration', 'skill'],
  ['agent-auth-skill-uri', 1, 'client_registration', 'client_registration', 'skill'],
  ['as-agentcommunity', 0, 'usable: flat, nested', '-', 'register'],
  ['as-algebraic-intelligence', 1, 'published_only', 'no_registration', 'skill'],
  ['as-anir0y', 1, 'published_only', 'no_registration', 'skill'],
  ['as-arananet-auth-md-example', 0, 'usable: first', '-', 'register'],
  ['as-beehivestrategy', 1, 'published_only', 'no_registration', 'skill'],
  ['as-boldbi', 1, 'published_only', 'no_registration', 'skill'],
  ['as-dermascope', 0, 'usable: flat, nested', '-', 'register'],
  ['as-djzeneyer', 0, 'usable: first, nested, flat', '-', 'register'],
  ['as-gauntlet-group', 1, 'published_only', 'no_registration', 'skill'],
  ['as-laisky-blog', 1, 'published_only', 'no_registration', 'skill'],
  ['as-mahadev', 1, 'published_only', 'no_registration', 'skill'],
  ['as-mnemom', 5, 'usable: first', 'foreign_origin', 'discover'],
  ['as-noform-acme', 0, 'usable: first', '-', 'register'],
  ['as-quimeratech', 1, 'published_only', 'no_registration', 'skill'],
  ['as-rodcast', 0, 'usable: flat, nested', '-', 'register'],
  ['as-swmansion', 1, 'published_only', 'no_registration', 'skill'],
  ['as-wetaego', 1, 'published_only', 'no_registration', 'skill'],
  ['as-workos-reconciled', 0, 'usable: nested, flat', '-', 'register'],
  ['as-workos-register-branch', 0, 'usable: first, flat', '-', 'register'],
  ['as-workos-v06', 0, 'usable: flat, nested', '-', 'register'],
  ['as-xmr402', 1, 'published_only', 'no_registration', 'skill'],
  ['prm-agentcommunity', 1, 'plain_oauth', 'no_agent_auth', 'skill'],
];

describe('discover, at published documents', () => {
  const lines: string[] = [];
  afterAll(() => {
    process.stdout.write(`\n${lines.join('\n')}\n`);
  });

  it.each(ROWS)('reads %s', async (name, exit, found, error, next) => {
    const { url, close } = await serveWild(name);
    try {
      const machine = { ...newMachine(), network: systemFetch };
      const run = await runCli(machine, ['discover', url, '--json']);
      const seen = shown(name, run.code, run.json()[0] ?? {});
      const expected = [name, exit, found, error, next];
      const same = JSON.stringify(seen) === JSON.stringify(expected);
      lines.push(
        `${same ? 'ok ' : 'NOT'} ${seen.map((cell) => String(cell).padEnd(30)).join(' ')}`,
      );
      expect(seen).toEqual(expected);
    } finally {
      await close();
    }
  });

  it('leaves none out', () => {
    const folder = join(import.meta.dirname, '../../../fixtures/wild');
    const published = readdirSync(folder)
      .map((file) => file.replace('.json', ''))
      .filter((name) => /^(as|agent-auth|prm)-/.test(name));
    expect(ROWS.map(([name]) => name).sort()).toEqual(published.sort());
  });
});

interface Printed {
  readonly recognition?: { readonly verdict: string; readonly dialects: readonly string[] };
  readonly error?: { readonly code: string; readonly next: Next | null };
  readonly next?: Next | null;
}

interface Next {
  readonly argv: readonly string[];
}

function shown(name: string, exit: number, { recognition, error, next }: Printed): Row {
  const { verdict = 'nothing', dialects = [] } = recognition ?? {};
  const argv = (error === undefined ? next : error.next)?.argv ?? [];
  return [
    name,
    exit,
    [verdict, dialects.join(', ')].filter((part) => part !== '').join(': '),
    error?.code ?? '-',
    argv[1] ?? '-',
  ];
}
