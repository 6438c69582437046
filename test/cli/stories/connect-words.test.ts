import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { NetworkError } from '../../../src/runtime/ports.ts';
import { errorOf } from '../support/connected.ts';
import { ALICE, machineWithBoth, machineWithService, SERVICE, shell } from '../support/mocks.ts';
import { type Machine, newMachine, type Run, type RunOptions } from '../support/run-cli.ts';

const tree = buildProgram(async () => {}, {
  stdout: () => {},
  stderr: () => {},
  version: '0',
  columns: undefined,
});

/** The options of a command, those of every command included. */
function optionsOf(path: string): readonly string[] {
  let at: Command = tree;
  const options = tree.options.map(({ long }) => long ?? '');
  for (const name of path.split(' ')) {
    const found = at.commands.find((each) => each.name() === name);
    if (found === undefined) break;
    at = found;
    options.push(...at.options.map(({ long }) => long ?? ''));
  }
  return options;
}

/** Options that a text proposes and its command does not have: the one before them, else `connect`. */
function strangersIn(text: string): readonly string[] {
  const proposed = text.matchAll(/(?:agent-auth ([a-z]+(?: [a-z]+)*) )?(--[a-z][a-z-]*)/g);
  return [...proposed].flatMap(([, path = 'connect', flag = '']) =>
    optionsOf(path).includes(flag) ? [] : [`${path} ${flag}`],
  );
}

/** The mock answers otherwise at that path from now on. */
function answerAt(machine: Machine, path: string, answer: () => Response): void {
  const usual = machine.servers.get(SERVICE);
  if (usual === undefined) throw new Error('The service is missing.');
  machine.servers.set(SERVICE, (request) =>
    new URL(request.url).pathname === path ? answer() : usual(request),
  );
}

const IDENTITY = '/agent/identity';

/** What a connect ends in, by why. Each next step was parsed by the command tree when it was printed. */
const FAILURES: Readonly<Record<string, () => Promise<Run>>> = {
  'an answer that was kept unread': async () => {
    const machine = await machineWithService();
    answerAt(machine, IDENTITY, () => Response.json({ passport: 'secret-1' }));
    await shell(machine)(`connect ${SERVICE}`);
    return shell(machine)(`connect ${SERVICE} --json`);
  },
  'a denied claim': async () => {
    const machine = await machineWithService();
    const run = shell(machine);
    await run(`connect ${SERVICE} --email ${ALICE} --no-wait`);
    answerAt(machine, '/oauth2/token', () =>
      Response.json({ error: 'access_denied' }, { status: 400 }),
    );
    await run('claim wait');
    return run(`connect ${SERVICE} --email ${ALICE} --json`);
  },
  'a provider that is none': async () => {
    const machine = await machineWithService();
    return shell(machine)(`connect ${SERVICE} --provider ${SERVICE} --json`);
  },
  'no sign-in': async () => {
    const { run } = await both();
    return run('--provider http://127.0.0.1:4801');
  },
  'no email address': async () => {
    const machine = await machineWithService({ identityTypes: ['service_auth'] });
    return shell(machine)(`connect ${SERVICE} --json`);
  },
  'two types': async () => {
    const machine = await machineWithService({
      identityTypes: ['service_auth', 'identity_assertion'],
    });
    return shell(machine)(`connect ${SERVICE} --json`);
  },
  'a type that is not offered': async () => {
    const machine = await machineWithService({ identityTypes: ['service_auth'] });
    return shell(machine)(`connect ${SERVICE} --type anonymous --json`);
  },
  'a scope that is not offered': async () => (await both()).run('--scope api.none'),
  'a member that is demanded': async () => {
    const { machine, run } = await both();
    const refused = { error: 'invalid_request', error_description: 'tenant is missing' };
    answerAt(machine, IDENTITY, () => Response.json(refused, { status: 400 }));
    return run('--type anonymous');
  },
  'no answer': async () => {
    const machine = newMachine();
    machine.servers.set(SERVICE, () => {
      throw new NetworkError('tls', 'No.');
    });
    return shell(machine)(`connect ${SERVICE} --json`);
  },
  'options that do not go together': async () =>
    (await both()).run(`--email ${ALICE} --provider http://127.0.0.1:4801`),
  'no service': () => shell(newMachine())('connect --json'),
};

async function both() {
  const machine = await machineWithBoth();
  const run = (options: string) => shell(machine)(`connect ${SERVICE} ${options} --json`);
  return { machine, run };
}

describe('after connect', () => {
  it.each(Object.keys(FAILURES))(
    'no option is proposed that it has not (--new was): %s',
    async (why) => {
      const error = errorOf((await FAILURES[why]?.()) as Run);
      expect(error['next']).not.toBeNull();
      expect(strangersIn(`${String(error['message'])} ${String(error['hint'])}`)).toEqual([]);
    },
  );

  it('hints begin with npx where npx runs the program, as the next step does', async () => {
    const env: RunOptions['env'] = { npm_command: 'exec' };
    const machine = await machineWithService();
    answerAt(machine, IDENTITY, () => Response.json({ passport: 'secret-1' }));
    const run = shell(machine);
    await run(`connect ${SERVICE}`, { env });
    const error = errorOf(await run(`connect ${SERVICE} --json`, { env }));
    expect(error['hint']).toMatch(
      /: npx agent-auth register --new\. .*: npx agent-auth forget kept_/,
    );
  });
});
