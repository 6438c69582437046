import { describe, expect, it } from 'vitest';
import { actionsLog } from '../../../src/cli/shell/actions-log.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { memoryStreams } from '../support/memory-streams.ts';
import { machineWithService, SERVICE, shell } from '../support/mocks.ts';

/** What the runner takes for commands in a log, as it reads it: line by line, until it is told to stop. */
function commandsIn(log: string): readonly string[] {
  const found: string[] = [];
  let resumesAt: string | undefined;
  for (const line of log.split('\n')) {
    const [, name, value = ''] = /^\s*::([\w-]+)[^:]*::(.*)$/.exec(line) ?? [];
    if (resumesAt !== undefined) {
      if (name === resumesAt) resumesAt = undefined;
      continue;
    }
    if (name === 'stop-commands') resumesAt = value.trim();
    else if (name !== undefined) found.push(name);
    found.push(...[...line.matchAll(/##\[([\w-]+)/g)].map(([, cmd = '']) => cmd));
  }
  if (resumesAt !== undefined) found.push('(never resumed)');
  return found;
}

const ATTACK = '\n::set-output name=diff::/etc/passwd\n##[set-output name=diff;]/etc/passwd';

/** A service that has its say wherever a text of its own is shown. */
async function hostile() {
  const machine = await machineWithService();
  const answer = machine.servers.get(SERVICE);
  machine.servers.set(SERVICE, async (request) => {
    const response = (await answer?.(request)) ?? new Response();
    if (!/json/.test(response.headers.get('content-type') ?? '')) return response;
    const body = (await response.json()) as Record<string, unknown>;
    const { pathname } = new URL(request.url);
    const told = pathname.startsWith('/.well-known/')
      ? { ...body, resource_name: ATTACK, jwks_uri: ATTACK, scopes_supported: [ATTACK] }
      : { ...body, error: ATTACK, error_description: ATTACK, message: ATTACK };
    return Response.json(told, { status: response.status, headers: { 'x-note': '##[group]x' } });
  });
  return shell(machine);
}

describe('the log of a runner', () => {
  it.each([
    `discover ${SERVICE}`,
    `discover ${SERVICE} --json`,
    `lint ${SERVICE}`,
    `lint ${SERVICE} --json`,
    `doctor --service ${SERVICE}`,
    `doctor --service ${SERVICE} --json`,
  ])('took a command from whoever is looked at: %s', async (line) => {
    const run = await hostile();
    const { stderr, stdout } = await run(line, { env: { GITHUB_ACTIONS: 'true' } });
    expect(`${stdout}${stderr}`).toContain('set-output');
    expect(commandsIn(stdout)).toEqual([]);
    expect(commandsIn(stderr)).toEqual([]);
    if (line.endsWith('--json')) for (const each of stdout.trim().split('\n')) JSON.parse(each);
  });

  it.each([
    ['--json', JSON.stringify({ seen: ATTACK })],
    ['--report json=-', JSON.stringify({ seen: ATTACK })],
    ['--report=json', JSON.stringify({ seen: ATTACK })],
    ['--report junit=-', `<failure>${ATTACK}</failure>`],
    ['--report terminal=-', ATTACK],
  ])('stays what a program reads behind a pipe: conformance %s', async (options, text) => {
    const memory = memoryStreams(
      false,
      readEnvironment({}, { platform: 'linux', inContainer: () => false }),
    );
    const argv = ['conformance', 'service', SERVICE, ...options.split(' ')];
    const environment = { GITHUB_ACTIONS: 'true' };
    const log = actionsLog(
      argv,
      { json: argv.includes('--json'), quiet: false },
      memory.streams,
      environment,
    );
    log?.streams.stdout.write(text);
    log?.end();
    await memory.streams.flush();
    const { raw } = memory.stdout;
    expect(commandsIn(raw)).toEqual([]);
    if (text.startsWith('{')) expect(JSON.parse(raw)).toEqual({ seen: ATTACK });
    if (text.startsWith('<')) expect(raw).toMatch(/^<failure>[\s\S]*<\/failure>$/);
  });

  it('would be given one without that', () => {
    expect(commandsIn(ATTACK)).toEqual(['set-output', 'set-output']);
  });

  it('is not written for what it does not hold', async () => {
    const run = await hostile();
    const { stdout } = await run(`discover ${SERVICE}`, { env: {} });
    expect(stdout).not.toContain('stop-commands');
    expect(commandsIn(stdout)).toContain('set-output');
  });
});
