import { describe, expect, it } from 'vitest';
import { registered } from '../support/mocks.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const FULL = { stdout: 'ENOSPC' };
const SENTENCE =
  'The output could not be written to stdout: the disk is full. Changes already made remain.';

describe('output that cannot be written', () => {
  it.each(['--help', '--version', 'help exit-codes', 'completion bash'])(
    'was a stack for %s: it is one line and exit 1',
    async (line) => {
      const { code, stderr } = await runCli(newMachine(), line.split(' '), { broken: FULL });
      expect(code).toBe(1);
      expect(stderr.split('\n').slice(-2)).toEqual([`✗ ${SENTENCE}`, '']);
    },
  );

  it('is told as JSON on stderr under --json', async () => {
    const { code, stderr } = await runCli(newMachine(), ['help', 'exit-codes', '--json'], {
      broken: FULL,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      schema: 'agent-auth.error/1',
      error: { code: 'output_lost', message: SENTENCE, exit_code: 1 },
    });
  });

  it('had the exit code of what went wrong before: it is 1 there too', async () => {
    const { code, stderr } = await runCli(newMachine(), ['registr', '--json'], { broken: FULL });
    expect(code).toBe(1);
    expect(stderr).toContain('output_lost');
  });

  it('is shown by the exit code alone when stderr is broken', async () => {
    const broken = { stdout: 'ENOSPC', stderr: 'ENOSPC' };
    expect((await runCli(newMachine(), ['--help'], { broken })).code).toBe(1);
    const { code, stdout } = await runCli(newMachine(), ['--version'], {
      broken: { stderr: 'ENOSPC' },
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d/)]);
  });

  it('is no matter when its reader left: `| head`', async () => {
    const broken = { stdout: 'EPIPE' };
    const { code, stderr } = await runCli(newMachine(), ['--help'], { broken });
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('call', () => {
  /** A body without end, and how much of it was fetched. */
  async function endless() {
    const { machine, run } = await registered();
    const [origin] = machine.servers.keys();
    const served = { chunks: 0, stopped: false };
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        served.chunks += 1;
        if (served.chunks > 100) throw new Error('It downloads for ever.');
        controller.enqueue(new Uint8Array(1024));
      },
      cancel: () => {
        served.stopped = true;
      },
    });
    if (origin !== undefined) machine.servers.set(origin, () => new Response(body));
    return { run, served };
  }

  it.each([
    ['ENOSPC', 1],
    ['EPIPE', 0],
  ])('stops to download when stdout fails with %s', async (stdout, code) => {
    const { run, served } = await endless();
    expect((await run('call /api/resource', { broken: { stdout } })).code).toBe(code);
    expect(served.stopped).toBe(true);
  });
});
