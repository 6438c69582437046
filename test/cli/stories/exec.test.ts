import { describe, expect, it } from 'vitest';
import type { ChildEnd, StartChild } from '../../../src/cli/terminal/child.ts';
import { until } from '../../support/until.ts';
import { registered, SERVICE } from '../support/mocks.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

/** A command that ends as it is told, and what it was started with. */
function command(end: ChildEnd | Promise<ChildEnd> = { status: 'exited', code: 0 }) {
  const started: { line: readonly string[]; env: Readonly<Record<string, string | undefined>> }[] =
    [];
  const signals: string[] = [];
  const startChild: StartChild = (line, env) => {
    started.push({ line, env });
    return { ended: Promise.resolve(end), send: (signal) => signals.push(signal) };
  };
  return { startChild, started, signals };
}

describe('exec', () => {
  it('runs the command with the token and the URL of the service in its environment', async () => {
    const { run } = await registered();
    const { startChild, started } = command();
    const env = { HOME: '/home/me', AGENT_AUTH_SERVICE: 'https://other.example' };
    const { code, stdout, stderr } = await run(`exec --service ${SERVICE} -- curl -s --json -- x`, {
      startChild,
      env,
    });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(started).toEqual([
      {
        line: ['curl', '-s', '--json', '--', 'x'],
        env: expect.objectContaining({
          HOME: '/home/me',
          AGENT_AUTH_TOKEN: expect.stringMatching(/^at_/),
          AGENT_AUTH_SERVICE: SERVICE,
        }),
      },
    ]);
  });

  it('hands over a token that the service takes', async () => {
    const { machine, run } = await registered();
    machine.clock.advance(3_600_000);
    const { startChild, started } = command();
    await run('exec -- true', { startChild });
    const handler = machine.servers.get(SERVICE);
    const token = started[0]?.env['AGENT_AUTH_TOKEN'];
    const answer = await handler?.(
      new Request(`${SERVICE}/api/resource`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(answer?.status).toBe(200);
  });

  it('hands over AGENT_AUTH_TOKEN when that is set, and guesses no service for it', async () => {
    const { startChild, started } = command();
    await runCli(newMachine(), ['exec', '--', 'true'], {
      startChild,
      env: { AGENT_AUTH_TOKEN: 'at_mine' },
    });
    expect(started[0]?.env).toMatchObject({ AGENT_AUTH_TOKEN: 'at_mine' });
    expect(started[0]?.env['AGENT_AUTH_SERVICE']).toBeUndefined();
  });

  it.each<[string, ChildEnd, number]>([
    ['exits as the command does', { status: 'exited', code: 42 }, 42],
    ['exits 128 + n for a signal', { status: 'signalled', signal: 15 }, 143],
  ])('%s, and says nothing itself', async (_what, end, code) => {
    const { run } = await registered();
    const ran = await run('exec -- anything', command(end));
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', '']);
  });

  it('exits 127 for a command that there is not, as shells do', async () => {
    const { run } = await registered();
    const { code, stdout, stderr } = await run('exec -- nothere', command({ status: 'not_found' }));
    expect([code, stdout]).toEqual([127, '']);
    expect(stderr).toContain('There is no command nothere.');
    const [json] = (await run('exec --json -- nothere', command({ status: 'not_found' }))).json();
    // It said 1, and the program ended with 127.
    expect(json).toMatchObject({ error: { code: 'command_not_found', exit_code: 127 } });
  });

  it('exits 126 for a command that cannot be run', async () => {
    const { run } = await registered();
    const end = { status: 'not_runnable', reason: 'EACCES' } as const;
    const { code, stderr } = await run('exec -- ./notes.txt', command(end));
    expect(code).toBe(126);
    expect(stderr).toContain('permission denied');
  });

  it.each([
    ['SIGTERM', false, ['SIGTERM']],
    ['SIGINT', false, ['SIGINT']],
    // The terminal sends it to the whole group; a second one would be taken for impatience.
    ['SIGINT', true, []],
    ['SIGTERM', true, ['SIGTERM']],
  ] as const)(
    'passes %s on (at a terminal: %s) and waits for the command',
    async (signal, tty, passed) => {
      const { run } = await registered();
      let end: (end: ChildEnd) => void = () => {};
      const { startChild, started, signals } = command(
        new Promise((resolve) => {
          end = resolve;
        }),
      );
      const { code } = await run('exec -- sleep 60', {
        tty,
        startChild,
        meanwhile: async (live) => {
          await until(() => started.length > 0);
          // A tick later the signals are the command's.
          await new Promise((resolve) => setImmediate(resolve));
          live.stop(signal);
          live.stop(signal);
          end({ status: 'exited', code: 7 });
        },
      });
      expect(code).toBe(7);
      expect(signals).toEqual([...passed, ...passed]);
    },
  );

  it.each([
    ['exec', 'after --'],
    ['exec --', 'after --'],
    ['exec ls -- ls2', 'after --'],
    ['exec ls -la', "'-la' before --"],
    ['exec --renw -- ls', "'--renw' before --"],
  ])('exits 2 for "%s", and shows how it is written', async (line, text) => {
    const { run } = await registered();
    const { startChild, started } = command();
    const { code, stdout, stderr } = await run(line, { startChild });
    expect([code, stdout, started]).toEqual([2, '', []]);
    expect(stderr).toContain(text);
    expect(stderr).toContain('agent-auth exec -- printenv');
  });

  it('may leave the dashes out before a command without options', async () => {
    const { run } = await registered();
    const { startChild, started } = command();
    await run('exec env', { startChild });
    expect(started[0]?.line).toEqual(['env']);
  });

  it('runs nothing, and exits 4, without a token', async () => {
    const { run } = await registered('forget');
    const { startChild, started } = command();
    expect((await run('exec -- true', { startChild })).code).toBe(4);
    expect(started).toEqual([]);
  });
});
