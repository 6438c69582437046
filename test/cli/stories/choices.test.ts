import { describe, expect, it } from 'vitest';
import { createMockService } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { step } from '../../support/step.ts';
import {
  ALICE,
  machineWithBoth,
  machineWithService,
  PROVIDER,
  SERVICE,
  shell,
} from '../support/mocks.ts';
import { type Machine, type Run, routeTo } from '../support/run-cli.ts';
import { attentiveUser, signedIn } from '../support/signed-in.ts';

const OTHER = 'http://127.0.0.1:4810';
const THIRD = 'http://127.0.0.1:4820';

async function addService(machine: Machine, baseUrl: string): Promise<void> {
  const { clock, servers } = machine;
  const service = await createMockService({
    ...{ baseUrl, clock, fetch: routeTo(servers), log: silentLog, name: `Other ${baseUrl}` },
    random: new SeededRandom(3),
    trust: [{ issuer: PROVIDER, name: 'Test Provider' }],
  });
  servers.set(baseUrl, service.fetch);
}

/** Registered with three services, and the one used last was forgotten. */
async function noneUsedLast() {
  const machine = await machineWithService();
  const run = shell(machine);
  await addService(machine, OTHER);
  await addService(machine, THIRD);
  for (const service of [SERVICE, OTHER, THIRD]) await run(`register ${service}`);
  await run('forget');
  return { machine, run };
}

const idsOf = async ({ store }: Machine) =>
  (await store.read()).services.flatMap(({ registrations }) => registrations.map(({ id }) => id));

const errorOf = (run: Run) => run.json().at(-1)?.['error'];

describe('a choice of the service, where none was used last', () => {
  const lines = [
    'token',
    'call /api/resource',
    'revoke',
    'forget',
    'claim',
    'discover',
    'register',
  ];

  it.each(lines)('is asked for with a list on a terminal: %s', async (line) => {
    const { machine, run } = await noneUsedLast();
    const answers = [OTHER, ...(line === 'claim' ? [ALICE] : [])];
    const wait = line === 'claim' ? ' --no-wait' : '';
    const { code, asked } = await run(line + wait, { tty: true, answers });
    expect([asked[0], code]).toEqual(['Which service?', line === 'claim' ? 8 : 0]);
    const { lastService, services } = await machine.store.read();
    if (line === 'forget') expect(services.map(({ resource }) => resource)).toEqual([SERVICE]);
    else if (line !== 'discover') expect(lastService).toBe(OTHER);
  });

  it.each(lines)('is exit 2 with the flag and the services elsewhere: %s', async (line) => {
    const { run } = await noneUsedLast();
    const ended = await run(`${line} --json`);
    expect(ended.code).toBe(2);
    expect(ended.json()).toMatchObject([
      {
        error: {
          code: 'service_missing',
          hint: `Name one with --service: ${SERVICE}, ${OTHER}`,
          next: step(`agent-auth ${line} --json --service URL`),
        },
        choices: [SERVICE, OTHER],
      },
    ]);
  });

  it('is none where one alone is known, or a token is given', async () => {
    const { run } = await noneUsedLast();
    expect((await run('token --json', { env: { AGENT_AUTH_TOKEN: 'at_mine' } })).code).toBe(0);
    await run(`forget --service ${OTHER}`);
    expect((await run('token')).code).toBe(0);
  });
});

describe('a choice of the registration', () => {
  async function several() {
    const machine = await machineWithService();
    const run = shell(machine);
    for (const line of [`register ${SERVICE}`, 'register --new']) await run(line);
    const [first = '', second = ''] = await idsOf(machine);
    return { machine, run, first, second };
  }

  it('is asked for with a list: use', async () => {
    const { machine, run, first } = await several();
    const { code, asked } = await run('use', { tty: true, answers: [first] });
    expect([code, asked]).toEqual([0, ['Which registration?']]);
    expect((await machine.store.read()).services).toMatchObject([{ current: first }]);
  });

  it('is asked for where several begin as was typed: forget, use', async () => {
    const { machine, run, first, second } = await several();
    expect((await run('use reg_', { tty: true, answers: [first] })).code).toBe(0);
    expect((await run('forget reg_', { tty: true, answers: [first] })).code).toBe(0);
    expect(await idsOf(machine)).toEqual([second]);
  });

  it('is exit 2 with the registrations elsewhere, and nothing is forgotten', async () => {
    const { machine, run, first, second } = await several();
    const used = await run('use --json');
    expect(used.code).toBe(2);
    expect(used.json()).toMatchObject([
      {
        error: { code: 'answer_missing', next: step('agent-auth use REGISTRATION') },
        registrations: [{ registration_id: first }, { registration_id: second }],
      },
    ]);
    const forgotten = await run('forget reg_ --json');
    expect(forgotten.code).toBe(2);
    expect(errorOf(forgotten)).toMatchObject({
      code: 'registration_ambiguous',
      hint: expect.stringContaining(second),
    });
    expect(await idsOf(machine)).toEqual([first, second]);
  });
});

describe('a choice of the type, where anonymous is not offered', () => {
  const identityTypes = ['identity_assertion', 'service_auth'] as const;

  it.each(['register', 'connect'])('is asked for with a list: %s', async (command) => {
    const machine = await machineWithBoth({ service: { identityTypes } });
    const { asked } = await shell(machine)(`${command} ${SERVICE}`, {
      tty: true,
      answers: ['service_auth', ALICE],
      meanwhile: ({ stop }) => {
        machine.onSleep = () => stop();
      },
    });
    expect(asked).toEqual(['Which type of registration?', 'Email address of the user:']);
    expect((await machine.store.read()).services).toMatchObject([
      { registrations: [{ type: 'service_auth', email: ALICE }] },
    ]);
  });

  it.each(['register', 'connect'])(
    'takes the provider that is signed in at: %s',
    async (command) => {
      const { machine, run, user } = await signedIn(ALICE, { service: { identityTypes } });
      const { asked, code } = await run(`${command} ${SERVICE} --yes`, {
        tty: true,
        answers: ['identity_assertion'],
        ...attentiveUser(machine, ALICE, user),
      });
      expect([asked, code]).toEqual([['Which type of registration?'], 0]);
      expect((await machine.store.read()).services).toMatchObject([
        { registrations: [{ type: 'identity_assertion', provider: PROVIDER }] },
      ]);
    },
  );

  it('is exit 2 with the types elsewhere', async () => {
    const machine = await machineWithBoth({ service: { identityTypes } });
    const ended = await shell(machine)(`register ${SERVICE} --json`);
    expect(ended.code).toBe(2);
    expect(ended.json()).toMatchObject([
      {
        error: {
          code: 'type_missing',
          hint: 'Name one with --type: identity_assertion, service_auth',
          next: step(`agent-auth register ${SERVICE} --json --email EMAIL`),
        },
        choices: identityTypes,
      },
    ]);
  });
});

describe('a choice of the audience', () => {
  it('is asked for with a list where several services are known, the one in use first', async () => {
    const { machine, run, user } = await signedIn();
    await addService(machine, OTHER);
    for (const service of [SERVICE, OTHER]) await run(`register ${service}`);
    const { code, asked } = await run(`provider consent`, {
      tty: true,
      answers: [SERVICE, true],
      ...attentiveUser(machine, ALICE, user),
    });
    expect([code, asked[0]]).toEqual([0, 'For which service?']);
    machine.onSleep = undefined;
    const minted = await run(`provider mint --json --audience ${SERVICE}`);
    expect(minted.code).toBe(0);
    expect((await run(`provider mint --service ${SERVICE}`, { tty: true })).asked).toEqual([]);
  });
});
