import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AGENT_CODES, stepAfter } from '../../../src/agent/agent-codes.ts';
import { AgentError } from '../../../src/agent/agent-error.ts';
import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import { needsOf } from '../../../src/agent/next-step.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { PROGRAM_CODES } from '../../../src/cli/shell/program-codes.ts';
import { NetworkError } from '../../../src/runtime/ports.ts';
import { step } from '../../support/step.ts';
import { checkNextSteps } from '../support/check-next-steps.ts';
import { machineWithBoth, machineWithService, PROVIDER, SERVICE } from '../support/mocks.ts';
import { newMachine, type RunOptions, runCli } from '../support/run-cli.ts';

const AWAY = 'http://127.0.0.1:4999';

/** Rejects where the command tree knows no such line. Nothing is run. */
async function parse(argv: readonly string[]): Promise<void> {
  const program = buildProgram(async () => {}, {
    stdout: () => {},
    stderr: () => {},
    version: '0',
    columns: undefined,
  });
  await program.parseAsync(argv, { from: 'user' });
}

async function told(line: string, machine = newMachine(), options: RunOptions = {}) {
  const { code, json } = await runCli(machine, `${line} --json`.split(' '), options);
  const error = json().at(-1)?.['error'] as { next: unknown; exit_code: number };
  expect(error.exit_code).toBe(code);
  return error;
}

describe('a next step', () => {
  it.each([
    [`discover ${AWAY}`, `doctor ${AWAY}`, true],
    [`discover ${SERVICE}`, 'mock up', true],
    ['discover', 'mock up', false],
    [`call ${AWAY}/api`, `call ${AWAY}/api --json --yes`, false],
    ['register --type service_auth', 'register --type service_auth --json --email EMAIL', false],
    [
      'register --type identity_assertion',
      'register --type identity_assertion --json --provider URL',
      false,
    ],
    ['register --email a@b.example --provider https://p.example', 'help register', false],
    ['provider mint --audience https://a.example', 'mock up', false],
  ])('was missing after: %s', async (line, next, retryable) => {
    const error = await told(line);
    expect(error).toMatchObject({ next: step(`agent-auth ${next}`), retryable });
    await parse(step(next).argv);
  });

  it('did not say that the URL comes from AGENT_AUTH_SERVICE', async () => {
    const error = await told('discover', newMachine(), { env: { AGENT_AUTH_SERVICE: AWAY } });
    expect(error).toMatchObject({
      hint: expect.stringContaining('The URL comes from AGENT_AUTH_SERVICE.'),
      next: step(`agent-auth doctor ${AWAY}`),
    });
    expect(await told(`discover ${AWAY}`)).toMatchObject({
      hint: expect.not.stringContaining('AGENT_AUTH_SERVICE'),
    });
  });

  it.each(['tls', 'not_tls', 'bad_port'] as const)(
    'after a failure by %s was to do the same again',
    async (failure) => {
      const machine = newMachine();
      machine.servers.set(AWAY, () => {
        throw new NetworkError(failure, 'No.');
      });
      const lines = ['discover', 'register', 'connect'].map((command) => `${command} ${AWAY}`);
      for (const line of [...lines, `call ${AWAY}/a --yes`]) {
        const error = await told(line, machine);
        expect(error).toMatchObject({ exit_code: 7, retryable: false });
        if (failure === 'tls') {
          expect(error).toMatchObject({ next: { line: expect.stringMatching(/ --ca FILE$/) } });
        }
      }
    },
  );

  it('after a credential file that is open to others is to close it', async () => {
    const code = 'credentials_open_to_others';
    const store = {
      ...createMemoryStore(),
      read: () => Promise.reject(new AgentError('Others can read it.', { code })),
    };
    const env = { AGENT_AUTH_HOME: '/home/me/it' };
    const error = await told('token', { ...newMachine(), store }, { env });
    expect(error).toMatchObject({
      code,
      next: step('chmod 600 /home/me/it/credentials.json'),
    });
  });

  it('after a command that exec does not find is its help', async () => {
    const machine = await machineWithService();
    await runCli(machine, ['register', SERVICE]);
    const { json } = await runCli(machine, ['exec', '--json', '--', 'nothing']);
    expect(json()).toMatchObject([{ error: { next: step('agent-auth help exec') } }]);
  });

  it('after a provider that is none is to register with an ID-JAG from elsewhere', async () => {
    const machine = await machineWithService();
    const error = await told(`register ${SERVICE} --provider ${SERVICE}`, machine);
    expect(error).toMatchObject({
      code: 'not_a_provider',
      next: step(`agent-auth register ${SERVICE} --assertion @FILE`),
    });
    machine.servers.set(PROVIDER, () => new Response('nothing', { status: 404 }));
    expect(await told(`register ${SERVICE} --provider ${PROVIDER}`, machine)).toMatchObject({
      code: 'metadata_not_found',
      next: { needs: ['@FILE'] },
    });
  });

  it('after an ID-JAG for another service is to mint one for this; nothing is sent', async () => {
    const machine = await machineWithBoth();
    const claims = Buffer.from(JSON.stringify({ aud: 'https://b.example' })).toString('base64url');
    const head = Buffer.from('{"alg":"ES256","typ":"oauth-id-jag+jwt"}').toString('base64url');
    const error = await told(`register ${SERVICE} --assertion -`, machine, {
      stdin: `${head}.${claims}.c2ln`,
    });
    expect(error).toMatchObject({
      code: 'assertion_for_another_service',
      message: expect.stringContaining('it was not sent'),
      next: step(`agent-auth provider mint --audience ${SERVICE}`),
    });
  });

  it.each(Object.keys(AGENT_CODES).filter(stepAfter))(
    'for the code %s is a line of this program',
    async (code) => {
      const known = stepAfter(code);
      if (known === undefined) throw new Error(code);
      const argv = [...known.command.split(' '), ...known.args];
      await parse(argv);
      expect(argv.filter((word) => /^[/@]?[A-Z]+$/.test(word))).toEqual(needsOf(argv));
    },
  );
});

it('help errors names every member that an error has', async () => {
  const [help] = (await runCli(newMachine(), ['help', 'errors', '--json'])).json();
  const members = (help?.['members'] ?? []) as {
    readonly name: string;
    readonly meaning: string;
  }[];
  const [ended] = (await runCli(newMachine(), ['discover', '--json'])).json();
  expect(members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(ended?.['error'] ?? {})),
  );
  const docs = await readFile('docs/json.md', 'utf8');
  for (const { name, meaning } of members) {
    expect(docs).toContain(`| \`${name}\` | ${meaning} |`);
  }
});

it('help errors left out the codes that the program alone gives', async () => {
  const [help] = (await runCli(newMachine(), ['help', 'errors', '--json'])).json();
  const codes = (help?.['codes'] ?? []) as readonly {
    readonly code: string;
    readonly at: string | null;
    readonly meaning: string;
    readonly advice: string;
    readonly exit_code: number;
  }[];
  const own = codes.filter(({ at }) => at === null).map(({ code }) => code);
  // The compiler holds that no command ends with another code, or in another way than its list says.
  const known = [...Object.keys(AGENT_CODES), ...Object.keys(PROGRAM_CODES)];
  expect(own.toSorted()).toEqual(known.toSorted());
  expect(codes).toContainEqual(
    expect.objectContaining({ code: 'slow_down', at: 'token', exit_code: 8 }),
  );
  expect(codes).toContainEqual(
    expect.objectContaining({ code: 'invalid_user_code', at: 'handing in a code', exit_code: 5 }),
  );
  expect(codes).toContainEqual(
    expect.objectContaining({ code: 'unreachable', at: null, exit_code: 7 }),
  );
  const [ended] = (await runCli(newMachine(), ['mock', 'list', '--json'])).json();
  expect(ended).toMatchObject({ error: { code: 'mock_missing', exit_code: 2 } });
  expect(codes).toContainEqual(
    expect.objectContaining({ code: 'mock_missing', at: null, exit_code: 2 }),
  );
  expect(codes.filter(({ code }) => code === 'listen_in_use')).toMatchObject([
    { at: null, exit_code: 1 },
    { at: 'conformance', exit_code: 2 },
  ]);
  expect(codes.filter(({ meaning, advice }) => meaning === '' || advice === '')).toEqual([]);
});

describe('every next step that a run prints', () => {
  const printed = (
    argv: readonly string[],
    line = argv.join(' '),
    needs: readonly string[] = [],
  ) => ({
    stdout: JSON.stringify({
      schema: 'agent-auth.error/1',
      error: { next: { argv, line, needs } },
    }),
    stderr: '',
  });
  const check = (steps: { readonly stdout: string; readonly stderr: string }) =>
    checkNextSteps(steps, 'npx agent-auth');

  it('is understood by the program', async () => {
    expect(await check(printed(['npx', 'agent-auth', 'claim', 'wait']))).toBe(1);
    expect(await check(printed(['npx', 'agent-auth', 'help', 'mock', 'up']))).toBe(1);
    const stderr = "✗ No.\n  Next: npx agent-auth call /a -d 'it'\\''s one'\n";
    expect(await check({ stdout: '', stderr })).toBe(1);
  });

  it.each([
    ['another program', ['agent-auth', 'claim'], 'is not of this program'],
    ['no such command', ['npx', 'agent-auth', 'klaim'], 'is not understood'],
    ['no such option', ['npx', 'agent-auth', 'claim', '--mail', 'a'], 'is not understood'],
    ['a bare group', ['npx', 'agent-auth', 'mock'], 'is not understood'],
    ['no such topic', ['npx', 'agent-auth', 'help', 'mok'], 'is not understood'],
  ])('would be refused as: %s', async (_what, argv, why) => {
    await expect(check(printed(argv))).rejects.toThrow(why);
  });

  it('would be refused where an error has none', async () => {
    const error = (code: string) => ({
      stdout: JSON.stringify({ schema: 'agent-auth.error/1', error: { code, next: null } }),
      stderr: '',
    });
    await expect(check(error('bad_config'))).rejects.toThrow('has no next step');
    await expect(check(error('interrupted'))).resolves.toBe(0);
  });

  it('would be refused with another line or without its needs', async () => {
    const argv = ['npx', 'agent-auth', 'claim', '--email', 'EMAIL'];
    await expect(check(printed(argv, undefined, ['EMAIL']))).resolves.toBe(1);
    await expect(check(printed(argv))).rejects.toThrow('should need');
    await expect(check(printed(argv, 'agent-auth claim', ['EMAIL']))).rejects.toThrow(
      'has the line',
    );
    const stderr = '  Next: npx agent-auth klaim\n';
    await expect(check({ stdout: '', stderr })).rejects.toThrow('is not understood');
  });
});
