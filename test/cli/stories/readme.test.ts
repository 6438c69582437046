import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTheNextWait, newcomer } from '../support/connected.ts';
import { ceremonyOf, SERVICE, userApproves } from '../support/mocks.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const FIRST_SCREEN = README.slice(0, README.indexOf('## You build an agent'));

function blocks(language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...FIRST_SCREEN.matchAll(fence)].map(([, text = '']) => text);
}

/** What is typed at the agent, in order, without comments. */
const LINES = blocks('sh')
  .flatMap((text) => text.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, ''))
  .filter((line) => /^npx agent-auth (?!mock)/.test(line))
  .map((line) => line.replace('npx agent-auth ', ''));

const masked = (text: string) =>
  text
    .replaceAll(/reg_[\w-]+/g, 'reg_…')
    .replaceAll(/valid for [^.]+/g, 'valid for …')
    .trim();

it('every line of the first screen of README works as it is typed, one after the other', async () => {
  expect(LINES.slice(0, 2)).toEqual([
    'connect --call /api/resource',
    'connect --scope api.write --email alice@example.com',
  ]);
  const { machine, run } = await newcomer({ name: 'Example Service' });
  const env = { AGENT_AUTH_SERVICE: SERVICE };
  let isFirst = true;
  for (const line of LINES) {
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json', { env }))),
    );
    const { code, stdout, stderr } = await run(line, { env });
    expect([line, code]).toEqual([line, 0]);
    const [first] = stdout.split('\n');
    if (isFirst) expect(masked(stderr + first)).toBe(masked(blocks('text')[0] ?? ''));
    isFirst = false;
  }
});
