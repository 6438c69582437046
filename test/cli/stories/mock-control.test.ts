import { decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { type RunningMock, RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { PROVIDER_FAULT_GROUPS, PROVIDER_FAULTS } from '../../../src/mock-provider/faults/index.ts';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import {
  SERVICE_FAULT_GROUPS,
  SERVICE_FAULT_NAMES,
  SERVICE_FAULTS,
} from '../../../src/mock-service/faults/index.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { decodeJwt } from '../../../src/protocol/jwt.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { testFolder } from '../../support/test-folder.ts';
import { ALICE, PROVIDER, SERVICE, shell } from '../support/mocks.ts';
import { newMachine, type RunOptions, routeTo, runCli } from '../support/run-cli.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';

let home: string;
beforeEach(() => {
  home = testFolder();
});

/** A machine on which `mock up` runs, and a shell beside it. */
async function mockUp(note: Partial<RunningMock> = {}) {
  const machine = newMachine();
  const db = await openDatabase();
  const ports = {
    clock: machine.clock,
    fetch: routeTo(machine.servers),
    log: silentLog,
    db,
    control: { token: TOKEN },
  };
  const service = await createMockService({
    ...ports,
    baseUrl: SERVICE,
    random: new SeededRandom(7),
    trust: [{ issuer: PROVIDER }],
  });
  const provider = await createMockProvider({
    ...ports,
    baseUrl: PROVIDER,
    random: new SeededRandom(9),
    autoApprove: ALICE,
  });
  machine.servers.set(SERVICE, service.fetch).set(PROVIDER, provider.fetch);
  const environment = readEnvironment(
    { XDG_RUNTIME_DIR: home },
    { platform: 'linux', inContainer: () => false },
  );
  new RuntimeFiles(environment).write({
    pid: process.pid,
    started: 1,
    service: SERVICE,
    provider: PROVIDER,
    ca: null,
    control: { token: TOKEN, service: SERVICE, provider: PROVIDER },
    ...note,
  });
  const typed = shell(machine);
  const run = (line: string, options: RunOptions = {}) =>
    typed(line, { ...options, env: { XDG_RUNTIME_DIR: home, ...options.env } });
  return { machine, run, service, provider };
}

const newest = async (run: Awaited<ReturnType<typeof mockUp>>['run']) => {
  const [{ registrations } = { registrations: [] }] = (await run('mock list --json')).json();
  return (registrations as Record<string, unknown>[])[0];
};

describe('mock advance', () => {
  it('ends a code that a waiting claim then opens again', async () => {
    const { machine, run } = await mockUp();
    await run('register --type anonymous');
    const steps = [() => run('mock advance 11m'), () => run('mock complete')];
    machine.onSleep = async () => {
      await steps.shift()?.();
    };
    const { code, stderr, stdout } = await run(`claim --email ${ALICE} --yes`);
    expect(code).toBe(0);
    expect(stdout).toContain(`Claimed by ${ALICE}.`);
    const codes = [...stderr.matchAll(/^Code {2}(.+)$/gm)].map(([, shown]) => shown);
    expect(codes).toHaveLength(2);
    expect(codes[0]).not.toBe(codes[1]);
    expect(steps).toEqual([]);
  });

  it('moves both mocks to one time', async () => {
    const { run, service, provider } = await mockUp();
    const { code, stdout } = await run('mock advance 1h30m');
    expect(code).toBe(0);
    expect(stdout.match(/1 hour 30 minutes ahead/g)).toHaveLength(2);
    expect(await service.controls.state()).toMatchObject({ clockOffset: 5_400_000 });
    expect(await provider.controls.state()).toMatchObject({ clockOffset: 5_400_000 });
  });

  it('takes a duration and nothing else', async () => {
    const { run } = await mockUp();
    expect((await run('mock advance soon')).code).toBe(2);
    expect((await run('mock advance')).code).toBe(2);
  });
});

describe('mock revoke', () => {
  it('ends a registration as its user would, and again changes nothing', async () => {
    const { run } = await mockUp();
    await run('register --type anonymous');
    const id = String((await newest(run))?.['registration_id']);
    const ended = await run(`mock revoke ${id} --json`);
    expect(ended.json()).toMatchObject([
      { schema: 'agent-auth.mock-registration/1', registration_id: id, state: 'revoked' },
    ]);
    expect((await run('call /api/resource')).code).not.toBe(0);

    const again = await run(`mock revoke ${id}`);
    expect(again).toMatchObject({ code: 0, stdout: `✓ Revoked ${id}.\n` });
  });

  it('names the registration that was probably meant', async () => {
    const { run } = await mockUp();
    await run('register --type anonymous');
    const id = String((await newest(run))?.['registration_id']);
    const { code, stderr } = await run(`mock revoke ${id.slice(0, -1)}`);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`agent-auth mock revoke ${id}`);
  });

  it('takes the only live registration without an id, says one sentence, and lists several', async () => {
    const { run } = await mockUp();
    expect((await run('mock revoke')).code).toBe(2);
    await run('register --type anonymous');
    const first = String((await newest(run))?.['registration_id']);
    expect(await run('mock revoke')).toMatchObject({
      code: 0,
      stdout: `✓ Revoked ${first}.\n`,
    });
    await run('register --type anonymous --new');
    await run('register --type anonymous --new');
    const { code, stderr } = await run('mock revoke');
    expect([code, stderr.match(/^ +reg_[\w-]+ {2}nobody named/gm)?.length]).toEqual([2, 2]);
  });
});

describe('mock list', () => {
  it('shows what is registered, and everything about one', async () => {
    const { run } = await mockUp();
    expect((await run('mock list')).stdout).toContain('No registrations');
    await run('register --type anonymous');
    const id = String((await newest(run))?.['registration_id']);
    expect((await run('mock list')).stdout).toMatch(
      new RegExp(`${id} +anonymous +unclaimed +pre-claim `),
    );
    const one = (await run(`mock list ${id}`)).stdout;
    expect(one).toContain('pre_claim_scopes');
    expect(one).toContain('unclaimed (specification: pre-claim)');
    expect((await run(`mock list ${id} --json`)).json()).toMatchObject([
      {
        schema: 'agent-auth.mock-registration/1',
        registration_id: id,
        state: 'unclaimed',
        specification_state: 'pre-claim',
      },
    ]);
    expect((await run('mock list reg_nothing')).code).toBe(1);
  });

  it('fits a screen of 100 columns (words were cut at its edge)', async () => {
    const { run } = await mockUp();
    await run('register --type anonymous --new');
    for (const line of ['mock list', 'mock exchanges', 'status']) {
      const { stdout } = await run(line, { tty: true });
      expect(stdout.split('\n').filter((shown) => shown.length > 100)).toEqual([]);
      expect(stdout).toContain(line === 'mock exchanges' ? '/agent/identity' : 'pre-claim');
      if (line !== 'mock list') continue;
      const [head = '', headBelow = '', row = '', below = ''] = stdout.split('\n');
      const under = (name: string, of: string, text: string) => text.slice(of.indexOf(name));
      expect(under('state', head, row)).toMatch(/^unclaimed /);
      expect(under('since', headBelow, below)).toMatch(/^\d{4}-/);
    }
  });

  it.each(['list', 'complete', 'deny'])(
    'mock %s proposes the registration that was meant',
    async (command) => {
      const { run } = await mockUp();
      await run('register --type anonymous');
      const id = String((await newest(run))?.['registration_id']);
      const slip = await run(`mock ${command} ${id.slice(0, 12)} --json`);
      expect([slip.code, slip.json()]).toMatchObject([
        1,
        [
          {
            error: {
              hint: `Did you mean ${id}?`,
              next: { line: `agent-auth mock ${command} ${id}` },
            },
          },
        ],
      ]);
    },
  );
});

describe('mock complete and mock deny', () => {
  it('do what the user of the one open claim does', async () => {
    const { run } = await mockUp();
    await run(`register --email ${ALICE}`);
    const [completed] = (await run('mock complete --json')).json();
    expect(completed).toMatchObject({ state: 'claimed', specification_state: 'claimed' });
    expect((await run('claim wait')).code).toBe(0);
    await run(`register --email ${ALICE} --new`);
    const [denied] = (await run('mock deny --json')).json();
    expect(denied).toMatchObject({ specification_state: 'claim attempt expired' });
    expect((await run('claim wait')).code).toBe(5);
    // A user who said no is asked again on their own word alone.
    expect((await run('status --json')).json()[0]?.['next']).toBeNull();
    // The line that was told was refused, too.
    const none = await run('mock complete');
    expect(none.stderr).toContain('Next: agent-auth claim --renew');
    expect((await run('claim --renew --no-wait')).code).toBe(8);
    expect((await run('status')).stdout).toContain('Next: agent-auth claim wait');
    expect((await run('mock complete zoe')).stderr).toContain('Next: agent-auth mock list');
    expect((await run('forget nope')).stderr).toContain('Next: agent-auth forget REGISTRATION');
  });

  it('say what is missing: an open claim, or which one', async () => {
    const { run } = await mockUp();
    const proposes = async () => {
      const { code, stderr } = await run('mock complete');
      return [code, /^ *Next: agent-auth (.*)$/m.exec(stderr)?.[1]];
    };
    expect(await proposes()).toEqual([1, `register ${SERVICE}`]);
    await run('register --type anonymous');
    expect(await proposes()).toEqual([1, `claim --email ${ALICE}`]);
    await run(`claim --email ${ALICE} --no-wait`);
    await run('mock complete');
    const claimed = String((await newest(run))?.['registration_id']);
    expect(await proposes()).toEqual([1, `mock list ${claimed}`]);
    await run('claim wait');
    await run('revoke --yes');
    await run('mock reset');
    await run(`register --email ${ALICE} --new`);
    await run('register --email bob@example.com');
    const which = await run('mock complete');
    expect([which.code, which.stderr]).toEqual([2, expect.stringContaining('reg_')]);
    for (const who of [ALICE, 'bob@example.com']) {
      expect(which.stderr).toMatch(new RegExp(`^ +reg_[\\w-]+  ${who}  since 2026-`, 'm'));
    }
    expect((await run('mock complete --json')).json()[0]).toMatchObject({
      error: {
        hint: expect.stringMatching(/^Name one with its registration: reg_[\w-]+, reg_[\w-]+$/),
      },
    });
    const id = String((await newest(run))?.['registration_id']);
    // An id that any registration could have begun with names none of them.
    const revoked = await run('mock revoke reg_x');
    expect(revoked.stderr).toContain('Next: agent-auth mock list');
    expect((await run(`mock revoke ${id.slice(0, 4)}`)).stderr).not.toContain('Did you mean');
    expect((await run(`mock revoke ${id.slice(0, 12)}`)).stderr).toContain(`Did you mean ${id}?`);
    const stranger = await run(`mock complete ${id} --email eve@example.com`);
    expect([stranger.code, stranger.stderr]).toEqual([5, expect.stringContaining('wrong_account')]);
  });
});

describe('mock rotate', () => {
  it('lets ID-JAGs of the new key be accepted', async () => {
    const { run, provider } = await mockUp();
    // The service has the keys of before in its cache.
    expect((await run(`register ${SERVICE} --provider ${PROVIDER} --yes`)).code).toBe(0);
    const [{ keys } = { keys: [] }] = (await run('mock rotate provider --json')).json();
    const [rotated] = keys as { mock: string; kid: string }[];
    await run('mock advance 5m');
    const minted = (await run(`provider mint ${PROVIDER} --audience ${SERVICE}`)).stdout.trim();
    expect(decodeProtectedHeader(minted).kid).toBe(rotated?.kid);
    expect((await run(`register ${SERVICE} --assertion -`, { stdin: minted })).code).toBe(0);
    expect((await run('mock rotate nobody')).code).toBe(2);
    expect((await run('mock rotate service --lead 0s')).code).toBe(0);
    expect((await provider.controls.state()).faults).toEqual([]);
  });
});

/** The faults of one mock in what `mock fault --list --json` printed. */
function faultsOf(printed: Record<string, unknown> | undefined, part: string) {
  const mocks = printed?.['mocks'] as { mock: string; faults: { name: string }[] }[] | undefined;
  return mocks?.find(({ mock }) => mock === part)?.faults ?? [];
}

describe('a mock that is started', () => {
  it.each([
    ['mock service --fault noSlowdwon', 'Did you mean noSlowDown?'],
    ['mock up --fault xyzzy', 'agent-auth mock fault --list'],
    ['mock service --lifetime usercode=30s', 'Did you mean userCode?'],
  ])('does not start with a slip in a name, and proposes the right one: %s', async (line, hint) => {
    const run = shell(newMachine());
    const { code, stderr, stdout } = await run(line);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(hint)]);
  });
});

describe('mock fault', () => {
  it('switches each fault where it is known, and all off again', async () => {
    const { run, service, provider } = await mockUp();
    await run('mock fault acceptedReplay wrongIdJagAudience unavailable');
    expect((await service.controls.state()).faults).toEqual(['unavailable', 'acceptedReplay']);
    expect((await provider.controls.state()).faults).toEqual(['unavailable', 'wrongIdJagAudience']);
    const shown = (await run('mock fault')).stdout;
    expect(shown).toMatch(/^on\s+acceptedReplay\s+accepts/m);
    expect(shown).not.toContain('noSlowDown');
    expect(shown).toContain('agent-auth mock fault --list');
    await run('mock fault --clear');
    expect((await service.controls.state()).faults).toEqual([]);
  });

  it('refuses a name that nobody knows, and changes nothing', async () => {
    const { run, service } = await mockUp();
    expect((await run('mock fault noSlowDown nothing')).code).toBe(2);
    expect((await run('mock fault noSlowDown --clear')).code).toBe(2);
    expect((await run('mock fault noSlowDown --list')).code).toBe(2);
    expect((await run('mock fault --clear --search down')).code).toBe(2);
    expect((await service.controls.state()).faults).toEqual([]);
    const slip = await run('mock fault unavailable noslowdwon --json');
    expect(slip.json()).toMatchObject([
      {
        error: {
          hint: 'Did you mean noSlowDown?',
          next: { line: 'agent-auth mock fault unavailable noSlowDown' },
        },
      },
    ]);
  });

  it('lists the groups of faults with their counts, in no more rows than a screen has', async () => {
    const { run } = await mockUp();
    await run('mock fault noSlowDown');
    const { stdout } = await run('mock fault --list');
    const claim = Object.keys(SERVICE_FAULT_GROUPS.claim).length;
    expect(stdout).toMatch(new RegExp(`^ {2}claim +${claim} {2}on: noSlowDown$`, 'm'));
    const minting = Object.keys(PROVIDER_FAULT_GROUPS.minting).length;
    expect(stdout).toMatch(new RegExp(`^provider\\n(?:.+\\n)* {2}minting +${minting}`, 'm'));
    expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(24);
  });

  it('lists the faults of one group, folded at 60 columns', async () => {
    const { run } = await mockUp();
    await run('mock fault noSlowDown');
    const { stdout } = await run('mock fault --list claim');
    expect(stdout).toMatch(
      /^service: claim\n(?:.+\n)*on {2}noSlowDown\n {6}never answers slow_down/m,
    );
    expect(stdout).not.toContain('wrongResource');
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
    const [listed] = (await run('mock fault --list claim --json')).json();
    const names = faultsOf(listed, 'service').map(({ name }) => name);
    expect(names).toEqual(Object.keys(SERVICE_FAULT_GROUPS.claim));
    const slip = await run('mock fault --list claims --json');
    expect([slip.code, slip.json()]).toMatchObject([
      2,
      [{ error: { next: { line: 'agent-auth mock fault --list claim' } } }],
    ]);
  });

  it('lists all faults to a program', async () => {
    const { run } = await mockUp();
    await run('mock fault noSlowDown');
    const [listed] = (await run('mock fault --list --json')).json();
    expect(listed).toMatchObject({
      schema: 'agent-auth.mock-faults/1',
      mocks: [
        { mock: 'service', issuer: SERVICE },
        { mock: 'provider', issuer: PROVIDER },
      ],
    });
    const faults = faultsOf(listed, 'service');
    expect(faults.map(({ name }) => name)).toEqual(SERVICE_FAULT_NAMES);
    expect(faults).toContainEqual({
      name: 'noSlowDown',
      group: 'claim',
      description: SERVICE_FAULTS.noSlowDown.description,
      on: true,
    });
  });

  it('finds faults by the words of their text, also while no mock runs', async () => {
    const { machine, run } = await mockUp();
    const env = { XDG_RUNTIME_DIR: '/nonexistent' };
    const line = ['mock', 'fault', '--search', 'Audience events', '--json'];
    const [found] = (await runCli(machine, line, { env })).json();
    expect(found).toMatchObject({ mocks: [{ issuer: null }, { issuer: null }] });
    const names = faultsOf(found, 'service').map(({ name }) => name);
    expect(names).toContain('uncheckedEventAudience');
    expect(names).not.toContain('noSlowDown');
    expect(Object.keys(PROVIDER_FAULTS)).toEqual(
      expect.arrayContaining(faultsOf(found, 'provider').map(({ name }) => name)),
    );
    expect((await run('mock fault --search xyzzy')).stdout).toContain('No fault has "xyzzy"');
  });

  it('tells a program what is on, not all there is', async () => {
    const { run } = await mockUp();
    for (const line of ['advance 1s', 'fault noSlowDown', 'fault --clear', 'fault', 'reset']) {
      const { code, stdout, json } = await run(`mock ${line} --json`);
      expect([line, code]).toEqual([line, 0]);
      expect(json()).toMatchObject([{ schema: 'agent-auth.mock-state/1' }]);
      expect(stdout.length).toBeLessThan(1000);
    }
  });
});

describe('mock trust', () => {
  const OTHER = 'http://127.0.0.1:4899';

  /** A provider that the service was not started with. */
  async function otherProvider(machine: Awaited<ReturnType<typeof mockUp>>['machine']) {
    const other = await createMockProvider({
      baseUrl: OTHER,
      clock: machine.clock,
      random: new SeededRandom(11),
      fetch: routeTo(machine.servers),
      log: silentLog,
      autoApprove: 'other@example.com',
    });
    machine.servers.set(OTHER, other.fetch);
  }

  it('lets agents register by a provider that the service was not started with', async () => {
    const { machine, run } = await mockUp();
    await otherProvider(machine);
    const register = `register ${SERVICE} --provider ${OTHER} --yes`;
    expect((await run(register)).code).toBe(5);
    const trusted = await run(`mock trust ${OTHER} --name Second`);
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toContain(`trusts ${OTHER} until it is reset`);
    expect(trusted.stdout).toMatch(/shown as +Second/);
    expect(trusted.stdout).toContain(PROVIDER);
    expect((await run(register)).code).toBe(0);
    expect((await run('mock audit')).stdout).toContain(`issuer=${OTHER}`);
    await run('mock reset');
    expect((await run(register)).code).toBe(5);
  });

  it('tells programs the whole entry', async () => {
    const { run } = await mockUp();
    const { json } = await run(`mock trust ${OTHER} --jwks-uri ${OTHER}/keys --json`);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.mock-trust/1',
        service: SERVICE,
        issuer: OTHER,
        name: '127.0.0.1:4899',
        jwks_uri: `${OTHER}/keys`,
        client_ids: [`${OTHER}/agent-auth.json`],
        mail_domains: null,
        trust: [PROVIDER, OTHER],
      },
    ]);
  });

  it('says that the keys are where the metadata of the provider says', async () => {
    const { run } = await mockUp();
    const { stdout } = await run(`mock trust ${OTHER}`);
    expect(stdout).toMatch(/keys +where its metadata says/);
    expect((await run(`mock trust ${OTHER} --json`)).json()).toMatchObject([{ jwks_uri: null }]);
  });

  it('takes the clients whose ID-JAGs are accepted', async () => {
    const { machine, run } = await mockUp();
    await otherProvider(machine);
    const register = `register ${SERVICE} --provider ${OTHER} --yes`;
    const { json } = await run(`mock trust ${OTHER} --client-id one --client-id two --json`);
    expect(json()).toMatchObject([{ client_ids: ['one', 'two'] }]);
    expect((await run(register)).stderr).toContain('client_id does not belong');
    const own = `${OTHER}/agent-auth.json`;
    expect((await run(`mock trust ${OTHER} --client-id ${own}`)).stdout).toContain(own);
    expect((await run(register)).code).toBe(0);
  });

  it('is refused as it is typed', async () => {
    const { run, service } = await mockUp();
    for (const line of [
      'mock trust',
      `mock trust ${OTHER} --client-id=`,
      'mock trust provider.example',
      'mock trust http://provider.example',
      `mock trust ${OTHER} --jwks-uri keys`,
    ])
      expect([line, (await run(line)).code]).toEqual([line, 2]);
    expect(await service.controls.audit()).toEqual([]);
  });
});

describe('mock clients, mock policy and mock revoke of tokens', () => {
  it('add a client at each mock and remove it', async () => {
    const { run } = await mockUp();
    expect((await run('mock clients')).stdout).toContain('takes any client');
    const added = await run(
      'mock clients --add app:a-test-secret --redirect-uri https://app.example/back --json',
    );
    const [{ mocks } = { mocks: [] }] = added.json();
    expect(mocks).toMatchObject([
      { mock: 'service', clients: [{ id: 'app' }] },
      { mock: 'provider', clients: [{ id: 'app', redirect_uris: ['https://app.example/back'] }] },
    ]);
    expect(added.stdout).not.toContain('a-test-secret');
    expect((await run('mock clients --add-public phone')).stdout).toMatch(/phone +none/);
    expect((await run('mock clients --remove app')).stdout).not.toContain('app');
    const again = await run('mock clients --remove app');
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('agent-auth mock clients\n'),
    ]);
    await run('mock reset');
    expect((await run('mock clients')).stdout).toContain('takes any client');
  });

  it('put a rule before the others, and take the configured ones back', async () => {
    const { run } = await mockUp();
    expect((await run('mock policy')).stdout).toContain('Every client reaches what it asks for.');
    await run('mock policy --client app --scopes api.read');
    const { stdout } = await run(`mock policy --user ${ALICE} --refuse access_denied`);
    expect(stdout.trim().split('\n')).toEqual([
      `1. user ${ALICE}: refused with access_denied`,
      '2. client app: gets api.read of what it asks for',
    ]);
    const [{ policy } = { policy: [] }] = (await run('mock policy --json')).json();
    expect(policy).toEqual([
      { user: ALICE, refuse: 'access_denied' },
      { client: 'app', scopes: ['api.read'] },
    ]);
    expect((await run('mock policy --clear')).stdout).toContain('Every client');
  });

  it('end tokens at each mock', async () => {
    const { run } = await mockUp();
    expect((await run(`mock revoke --email ${ALICE}`)).stdout).toContain('0 tokens ended');
    expect((await run('mock revoke --client-id app --json')).json()).toMatchObject([
      { mocks: [{ mock: 'service', ended: 0 }, { mock: 'provider' }] },
    ]);
  });

  it('are refused as they are typed', async () => {
    const { run, service } = await mockUp();
    for (const [line, said] of [
      ['mock clients --add app', 'ID:SECRET'],
      ['mock clients --add app:x --remove app', 'one of'],
      ['mock clients --redirect-uri https://app.example', 'of a client'],
      ['mock policy --clear --client app', 'nothing beside it'],
      ['mock revoke reg_1 --all', 'one of both'],
      ['mock revoke --all --client-id app', 'neither'],
    ] as const) {
      const { code, stderr } = await run(line);
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(said)]);
    }
    expect(await service.controls.audit()).toEqual([]);
  });

  it('say which code a rule can refuse with, and which groups there are', async () => {
    const { run } = await mockUp();
    const { code, stderr } = await run('mock policy --refuse acces_denied');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/'acces_denied'\. Did you mean access_denied\? refuse must be one of/),
    ]);
    // The list was cut.
    expect(stderr).toContain('temporarily_unavailable');
    const nobody = await run('mock policy --group staff');
    expect([nobody.code, nobody.stderr]).toEqual([
      2,
      expect.stringMatching(/staff.*Groups of configured users: none/),
    ]);
  });
});

describe('mock directory', () => {
  const listed = async (run: Awaited<ReturnType<typeof mockUp>>['run']) => {
    const [{ services } = { services: [] }] = (await run('mock directory --json')).json();
    return services as Record<string, unknown>[];
  };

  it('shows what the service lists', async () => {
    const { run } = await mockUp();
    const { code, stdout } = await run('mock directory');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^269 +foodservices +11 +${SERVICE}/v2/foodservices$`, 'm'));
    expect(await listed(run)).toHaveLength(7);
  });

  it('adds, changes and removes a service, which agents see at once, until the reset', async () => {
    const { run } = await mockUp();
    const added = await run(
      'mock directory add orders --id 400 --method 4001=/list.{format} --method null=/{id}.{format}',
    );
    expect(added.code).toBe(0);
    expect(added.stdout).toContain(`lists orders (400) at ${SERVICE}/v2/orders.`);
    expect(added.stdout).toContain('  4001  /list.{format}');
    expect((await run(`services ${SERVICE}`)).stdout).toMatch(/400 +orders +2 /);

    await run('mock directory set orders --name null --url null --no-methods');
    const nothing = { service_id: 400, service_name: null, service_url: null, methods: null };
    expect(await listed(run)).toContainEqual(nothing);
    expect((await run(`services ${SERVICE}`)).stdout).toMatch(/^400 +– +– +–$/m);

    await run('mock directory set 257 --method 1213=null');
    const buildings = {
      service_name: 'buildings',
      methods: [{ method_id: 1213, method_url: null }],
    };
    expect(await listed(run)).toContainEqual(expect.objectContaining(buildings));

    const removed = await run('mock directory remove buildings --json');
    expect(removed.json()).toMatchObject([
      { schema: 'agent-auth.mock-directory-service/1', service_id: 257, ...buildings },
    ]);
    expect((await run('services')).stdout).not.toContain('buildings');
    expect((await run('mock audit')).stdout.match(/directory\.\w+/g)).toEqual([
      'directory.added',
      'directory.changed',
      'directory.changed',
      'directory.removed',
    ]);
    await run('mock reset');
    expect(await listed(run)).toHaveLength(7);
  });

  it('adds what has no name, removes it by its id, and leaves nothing that nobody can remove', async () => {
    const { run } = await mockUp();
    expect((await run('mock directory add null --id 401 --method null=null')).code).toBe(0);
    expect(await listed(run)).toContainEqual({
      service_id: 401,
      service_name: null,
      service_url: null,
      methods: [{ method_id: null, method_url: null }],
    });
    const { code, stderr } = await run('mock directory set 401 --id null');
    expect([code, stderr]).toEqual([5, expect.stringContaining('nothing could address it')]);
    expect((await run('mock directory remove 401')).code).toBe(0);
  });

  it('is refused as it is typed', async () => {
    const { run, service } = await mockUp();
    for (const [line, text] of [
      ['add', 'name'],
      ['add --url null --method null=null', 'name'],
      ['add null --id null', 'A service that has neither a name nor an id cannot be removed.'],
      ['add orders --id x', "--id 'x'"],
      ['add orders --method 4001', "--method '4001'"],
      ['add orders --method 1=/x', '--method "1=/x" is not possible: expected null or a path'],
      ['add orders --url /login', '--url "/login" is not possible: the mock answers /login itself'],
      ['add orders --url ftp://a.example', '--url "ftp://a.example" is not possible'],
      ['add a.b', 'The name "a.b" cannot be in a path.'],
      ['set 257', 'Nothing is given to change.'],
      ['set', 'service'],
      ['remove', 'service'],
      ['nothing', "'nothing'"],
    ] as const) {
      const { code, stdout, stderr } = await run(`mock directory ${line}`);
      expect([line, code, stdout]).toEqual([line, 2, '']);
      expect(stderr.split('\n')[0]).toContain(text);
    }
    expect(await service.controls.audit()).toEqual([]);
  });

  it.each([
    ['remove nobody', 1, "no service 'nobody'"],
    ['add orders --id 223', 5, '223 is the id of another service'],
  ])('is refused by the mock: mock directory %s', async (line, exit, text) => {
    const { run } = await mockUp();
    const { code, stderr } = await run(`mock directory ${line}`);
    expect(code).toBe(exit);
    expect(stderr.split('\n')[0]).toContain(text);
  });
});

describe('mock audit', () => {
  it('tells what happened, in the order of time, without secrets', async () => {
    const { run } = await mockUp();
    await run(`register --email ${ALICE}`);
    await run('mock complete');
    await run('claim wait');
    const { stdout } = await run('mock audit');
    const told = ['registration.created', 'claim.started', 'claim.completed', 'claim.delivered'];
    expect(stdout.match(/(registration|claim)\.\w+/g)).toEqual(told);
    expect(stdout).toContain('user.created');
    expect(stdout).not.toContain(ALICE);
    expect((await run('mock audit --json')).json()).toMatchObject([
      { schema: 'agent-auth.mock-audit/1', entries: [{ mock: 'service', seq: 1 }, {}, {}, {}, {}] },
    ]);
  });
});

describe('mock audit of two mocks', () => {
  it('puts both into one order of time, and leaves each its own', async () => {
    const { machine, run, service } = await mockUp();
    const minute = () => machine.clock.advance(60_000);
    await run('register --type anonymous');
    minute();
    await run(`provider login ${PROVIDER}`);
    minute();
    await run('register --type anonymous --new');
    await service.controls.moveClock({ offset: -3_600_000 });
    const [{ entries } = { entries: [] }] = (await run('mock audit --json')).json();
    const order = (entries as { mock: string; action: string; seq: number }[]).map(
      ({ mock, action }) => `${mock} ${action}`,
    );
    expect(order.indexOf('provider sign_in.approved')).toBeGreaterThan(
      order.indexOf('service registration.created'),
    );
    expect(order.indexOf('provider sign_in.approved')).toBeLessThan(
      order.lastIndexOf('service registration.created'),
    );
    expect(order.at(-1)).toBe('service clock.moved');
  });
});

describe('mock outbox', () => {
  it('shows what a service was not told yet, and tells it by hand', async () => {
    const { run, service } = await mockUp();
    expect((await run('mock outbox')).stdout).toContain('has no events');
    expect((await run(`register ${SERVICE} --provider ${PROVIDER} --yes`)).code).toBe(0);
    await service.controls.setFaults(['unavailable']);
    expect((await run(`provider revoke --audience ${SERVICE}`)).code).not.toBe(2);
    const [{ events } = { events: [] }] = (await run('mock outbox --json')).json();
    const [event] = events as { id: string; state: string }[];
    expect(event?.state).toBe('pending');
    await service.controls.setFaults([]);
    expect((await run(`mock outbox --send ${event?.id}`)).stdout).toContain('delivered');
    expect((await service.controls.registrations())[0]?.state).toBe('revoked');
    const unknown = await run('mock outbox --send set_nothing');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/Next: agent-auth mock outbox$/m),
    ]);
  });
});

describe('mock mint', () => {
  it('prints an ID-JAG, as wrong as it is asked, for the service beside the provider', async () => {
    const { run } = await mockUp();
    const minted = await run(
      'mock mint --client-id app --scope api.read --claim exp=1 --omit jti --omit acr --header kid="other"',
    );
    const [idJag = ''] = minted.stdout.split('\n');
    expect(decodeJwt(idJag)).toMatchObject({
      header: { kid: 'other' },
      payload: { aud: SERVICE, client_id: 'app', exp: 1, email: 'alice@example.com' },
    });
    const [json] = (await run('mock mint --email bob@example.com --json')).json();
    expect(json).toMatchObject({ provider: PROVIDER, claims: { email: 'bob@example.com' } });
  });

  it.each([
    ['--claim foo', 'The name comes first.'],
    ['--claim foo=bar', 'Text is quoted: --claim'],
    ['--header =1', 'The name comes first.'],
    ['--omit jtti', "The ID-JAG has no 'jtti' to omit. Did you mean jti? It has iss, sub, aud,"],
  ])('refuses %s', async (flags, text) => {
    const { run } = await mockUp();
    const { code, stderr } = await run(`mock mint ${flags}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});

describe('mock reset', () => {
  it('brings both back to their start', async () => {
    const { run, service, provider } = await mockUp();
    await run('register --type anonymous');
    await run('mock advance 1h');
    await run(`register ${SERVICE} --provider ${PROVIDER} --yes`);
    await run(`provider revoke --audience ${SERVICE}`);
    expect(await provider.outbox.list()).toHaveLength(1);
    expect((await run('mock reset')).code).toBe(0);
    expect(await service.controls.registrations()).toEqual([]);
    expect((await service.controls.state()).clockOffset).toBe(0);
    // The provider knows neither its users nor what it was to tell.
    expect(await provider.outbox.list()).toEqual([]);
    expect((await run(`provider mint ${PROVIDER} --audience ${SERVICE}`)).code).not.toBe(0);
  });
});

describe('several mocks that run', () => {
  const OTHER = 'http://127.0.0.1:4810';

  /** `mock up`, and beside it a service that a process of its own runs. */
  async function two() {
    const made = await mockUp();
    const { machine } = made;
    const other = await createMockService({
      baseUrl: OTHER,
      clock: machine.clock,
      fetch: routeTo(machine.servers),
      log: silentLog,
      db: await openDatabase(),
      random: new SeededRandom(11),
      control: { token: TOKEN },
    });
    machine.servers.set(OTHER, other.fetch);
    new RuntimeFiles(
      readEnvironment({ XDG_RUNTIME_DIR: home }, { platform: 'linux', inContainer: () => false }),
    ).write({
      pid: process.ppid,
      started: 2,
      service: OTHER,
      provider: null,
      ca: null,
      control: { token: TOKEN, service: OTHER, provider: null },
    });
    return { ...made, other };
  }

  it('are listed with the line to type, and none is touched', async () => {
    const { run, service, other } = await two();
    for (const line of [
      'advance 1m',
      'list',
      'complete',
      'deny',
      'rotate service --lead 0s',
      'fault noSlowDown',
      'trust http://127.0.0.1:4899',
      'audit',
      'reset',
    ]) {
      const refused = await run(`mock ${line}`);
      expect([line, refused.code]).toEqual([line, 2]);
      expect(refused.stderr).toContain(`agent-auth mock ${line} --service ${SERVICE}\n`);
      expect(refused.stderr).toContain(`agent-auth mock ${line} --service ${OTHER}\n`);
      expect((await run(`mock ${line} --json`)).json()).toMatchObject([
        {
          error: { code: 'mock_ambiguous', next: { needs: ['URL'] } },
          mocks: [
            { service: OTHER, provider: null },
            { service: SERVICE, provider: PROVIDER },
          ],
        },
      ]);
    }
    expect([await service.controls.audit(), await other.controls.audit()]).toEqual([[], []]);
  });

  it('each list their faults', async () => {
    const { run } = await two();
    await run(`mock fault noSlowDown --service ${OTHER}`);
    const { code, stdout } = await run('mock fault --list');
    expect(code).toBe(0);
    const rowOf = (issuer: string, row: string) =>
      new RegExp(`^service ${issuer}\n(?: {2}.+\n)* {2}claim +\\d+${row}$`, 'm');
    expect(stdout).toMatch(rowOf(OTHER, ' {2}on: noSlowDown'));
    expect(stdout).toMatch(rowOf(SERVICE, ''));
    expect(stdout).toMatch(/^provider$/m);
    const [named] = (await run(`mock fault --list --service ${OTHER} --json`)).json();
    expect(named).toMatchObject({ mocks: [{ issuer: OTHER }] });
  });

  it('are chosen from a list on a terminal, a pair as a whole', async () => {
    const { run, service, provider, other } = await two();
    const pair = { tty: true, answers: [String(process.pid)] };
    const { asked } = await run('mock advance 1m', pair);
    expect(asked).toEqual(['Which mock?']);
    await run('mock fault noSlowDown', { tty: true, answers: [String(process.ppid)] });
    const offsets = [service, provider, other].map((mock) => mock.controls.state());
    expect(
      (await Promise.all(offsets)).map(({ clockOffset, faults }) => [clockOffset, faults]),
    ).toEqual([
      [60_000, []],
      [60_000, []],
      [0, ['noSlowDown']],
    ]);
  });

  it('are told apart by AGENT_AUTH_SERVICE, a pair by either URL', async () => {
    const { run, service, provider, other } = await two();
    const offset = async (mock: { controls: typeof service.controls | typeof provider.controls }) =>
      (await mock.controls.state()).clockOffset;
    await run('mock advance 1m', { env: { AGENT_AUTH_SERVICE: `${OTHER}/` } });
    expect([await offset(service), await offset(provider), await offset(other)]).toEqual([
      0, 0, 60_000,
    ]);
    await run('mock advance 2m', { env: { AGENT_AUTH_SERVICE: SERVICE } });
    expect([await offset(service), await offset(provider), await offset(other)]).toEqual([
      120_000, 120_000, 60_000,
    ]);
    await run('mock reset', { env: { AGENT_AUTH_SERVICE: PROVIDER } });
    expect([await offset(service), await offset(provider), await offset(other)]).toEqual([
      0, 0, 60_000,
    ]);
  });

  it('are told apart by --service, which beats AGENT_AUTH_SERVICE', async () => {
    const { run, service, other } = await two();
    const env = { AGENT_AUTH_SERVICE: SERVICE };
    await run(`mock fault noSlowDown --service ${OTHER}/api/resource`, { env });
    expect((await service.controls.state()).faults).toEqual([]);
    expect((await other.controls.state()).faults).toEqual(['noSlowDown']);
  });

  it('are listed where --service names none of them', async () => {
    const { run } = await two();
    const { code, stderr } = await run('mock reset --service http://127.0.0.1:9');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--service ${SERVICE}\n`)]);
    expect(stderr).toContain('No mock on this machine runs at http://127.0.0.1:9.');
    expect(stderr).not.toContain('--service http://127.0.0.1:9');
  });

  it('are not acted on in place of the one that was named, as the only line told was', async () => {
    const { run } = await mockUp();
    const { code, stderr } = await run('mock deny --service http://127.0.0.1:9');
    expect(code).toBe(2);
    expect(stderr).toContain(`Another one runs at ${SERVICE}.`);
    expect(stderr).toContain('Next: agent-auth mock up\n');
    expect(stderr).not.toContain('mock deny');
  });

  it('are not mistaken where AGENT_AUTH_SERVICE is a service that is no mock', async () => {
    const { run, other } = await two();
    const env = { AGENT_AUTH_SERVICE: 'https://service.example' };
    expect((await run('mock reset', { env })).code).toBe(2);
    expect(await other.controls.audit()).toEqual([]);
  });

  it('do not keep the only provider from being asked', async () => {
    const { run } = await two();
    expect((await run('mock outbox')).stdout).toContain('has no events');
  });

  it('are not asked for a part that the named one has not', async () => {
    const { run } = await two();
    const { code, stderr } = await run(`mock outbox --service ${OTHER}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${OTHER} has no provider`)]);
    expect(stderr).toContain(`agent-auth mock outbox --service ${SERVICE}\n`);
  });
});

describe('a mock service and a mock provider that two processes run', () => {
  async function halves() {
    const made = await mockUp({
      provider: null,
      control: { token: TOKEN, service: SERVICE, provider: null },
    });
    new RuntimeFiles(
      readEnvironment({ XDG_RUNTIME_DIR: home }, { platform: 'linux', inContainer: () => false }),
    ).write({
      pid: process.ppid,
      started: 2,
      service: null,
      provider: PROVIDER,
      ca: null,
      control: { token: TOKEN, service: null, provider: PROVIDER },
    });
    const actions = async ({ controls }: typeof made.service | typeof made.provider) =>
      (await controls.audit()).map(({ action }) => action);
    const touched = async () => [await actions(made.service), await actions(made.provider)];
    return { ...made, touched };
  }

  it('are not both taken where neither was named', async () => {
    const { run, touched } = await halves();
    for (const line of ['reset', 'advance 1m', 'audit', 'fault unavailable', 'rotate']) {
      const { code, stderr } = await run(`mock ${line}`);
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain(`agent-auth mock ${line} --service ${SERVICE}\n`);
      expect(stderr).toContain(`agent-auth mock ${line} --service ${PROVIDER}\n`);
    }
    expect(await touched()).toEqual([[], []]);
  });

  it('are touched by name alone', async () => {
    const { run, touched } = await halves();
    expect((await run(`mock advance 1m --service ${SERVICE}`)).code).toBe(0);
    expect(await touched()).toEqual([['clock.moved'], []]);
    const env = { AGENT_AUTH_SERVICE: PROVIDER };
    expect((await run('mock advance 1m', { env })).code).toBe(0);
    expect(await touched()).toEqual([['clock.moved'], ['clock.moved']]);
    expect((await run('mock reset', { env })).stdout.match(/is reset/g)).toHaveLength(1);
    expect((await touched())[0]).toEqual(['clock.moved']);
  });

  it('are told apart by the part that is wanted', async () => {
    const { run } = await halves();
    expect((await run('mock list')).code).toBe(0);
    expect((await run('mock outbox')).code).toBe(0);
    expect((await run('mock rotate provider')).code).toBe(0);
  });
});

describe('the only mock that runs', () => {
  it('is not taken for the service that AGENT_AUTH_SERVICE names', async () => {
    const { run, service } = await mockUp();
    const env = { AGENT_AUTH_SERVICE: 'https://elsewhere.example' };
    for (const line of ['advance 1m', 'reset', 'list', 'audit']) {
      const { code, stderr } = await run(`mock ${line}`, { env });
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain('https://elsewhere.example (from AGENT_AUTH_SERVICE)');
      expect(stderr).toContain(`agent-auth mock ${line} --service ${SERVICE}\n`);
    }
    expect(await service.controls.audit()).toEqual([]);
  });
});

describe('a mock that cannot be controlled', () => {
  it('is one clear line of each command', async () => {
    const off = await mockUp({ control: null });
    const refused = async (line: string, said: string, env = {}) => {
      const { code, stderr } = await off.run(`mock ${line}`, { env });
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(said)]);
    };
    for (const line of [
      'advance 1m',
      'list',
      'complete',
      'deny',
      'rotate',
      'fault',
      'trust http://127.0.0.1:4899',
      'outbox',
      'audit',
      'reset',
    ]) {
      await refused(line, '--no-control');
      await refused(line, 'mock up', { XDG_RUNTIME_DIR: '/nonexistent' });
      await refused(`${line} --service http://127.0.0.1:9`, '127.0.0.1:9');
    }
  });

  it('refuses a token that is not its own, and is named when it is gone', async () => {
    const control = { token: `${TOKEN}x`, service: SERVICE, provider: PROVIDER };
    const { machine, run } = await mockUp({ control });
    const refused = await run('mock list --json');
    expect([refused.code, refused.json()]).toMatchObject([
      1,
      [{ error: { code: 'control_invalid_token' } }],
    ]);
    machine.servers.clear();
    expect((await run('mock list')).code).toBe(7);
  });
});
