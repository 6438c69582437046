import { describe, expect, it } from 'vitest';
import { createMockService } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { openSignedIn } from '../../../src/user/user-steps.ts';
import {
  ALICE,
  ceremonyOf,
  machineWithService,
  newUser,
  PROVIDER,
  registered,
  SERVICE,
  shell,
  userApproves,
} from '../support/mocks.ts';
import { type Machine, type Run, routeTo } from '../support/run-cli.ts';
import { consented } from '../support/signed-in.ts';

const MINUTE = 60_000;
const byEmail = `register ${SERVICE} --email ${ALICE}`;

async function emailMachine() {
  const machine = await machineWithService();
  const run = shell(machine);
  const open = ceremonyOf(await run(`${byEmail} --json`));
  machine.clock.advance(5000);
  return { machine, run, open };
}

/** What `register` said under `--json`, in a few words. */
function said(run: Run): string {
  const [printed] = run.json();
  const word = printed?.['already'] === true ? 'already' : 'new';
  return `${run.code} ${word} ${printed?.['status']}`;
}

function idOf(run: Run): string {
  const registration = run.json()[0]?.['registration'] as { registration_id: string } | undefined;
  return registration?.registration_id ?? '';
}

/** Of all that is registered, in the order of `status`. */
async function ids(run: (line: string) => Promise<Run>): Promise<readonly string[]> {
  const text = JSON.stringify((await run('status --json')).json());
  return [...text.matchAll(/"registration_id":"([^"]+)"/g)].map(([, id = '']) => id);
}

async function endAtConnections(machine: Machine): Promise<void> {
  const user = newUser(machine);
  const page = await openSignedIn(user, `${SERVICE}/connections`, ALICE);
  expect((await user.submit(page, { registration_id: fieldOf(page) })).status).toBe(200);
}

function fieldOf(page: { readonly forms: readonly { readonly fields: Record<string, string> }[] }) {
  return page.forms.map(({ fields }) => fields['registration_id']).find(Boolean) ?? '';
}

/** A service that was set up again at the same URL. */
async function startAnew(machine: Machine): Promise<void> {
  const service = await createMockService({
    baseUrl: SERVICE,
    name: 'Test Service',
    clock: machine.clock,
    random: new SeededRandom(8),
    fetch: routeTo(machine.servers),
    log: silentLog,
  });
  machine.servers.set(SERVICE, service.fetch);
}

describe('register, asked again', () => {
  it('does not replace a claimed registration silently, so that the next call still writes', async () => {
    const { machine, run } = await registered();
    await userApproves(machine, ceremonyOf(await run(`claim --email ${ALICE} --no-wait --json`)));
    await run('claim wait');
    const { code, stdout } = await run(`register ${SERVICE}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`Already registered at Test Service, claimed by ${ALICE}.`);
    expect(stdout).toContain('Nothing new was registered; --new makes another one.');
    expect(stdout).toContain('Next: agent-auth call /PATH');
    expect((await run('call /api/resource -X POST')).code).toBe(0);
  });

  it('shows an anonymous one, as often as it is asked', async () => {
    const { run } = await registered();
    const first = await run(`register ${SERVICE} --json`);
    expect([said(first), said(await run(`register ${SERVICE} --json`))]).toEqual([
      '0 already registered',
      '0 already registered',
    ]);
    expect((await run('status --json')).json()[0]).toMatchObject({
      services: [{ registrations: [{ registration_id: idOf(first), current: true }] }],
    });
  });

  it('collects a claim that was completed meanwhile', async () => {
    const { machine, run } = await registered();
    await userApproves(machine, ceremonyOf(await run(`claim --email ${ALICE} --no-wait --json`)));
    const { json } = await run(`register ${SERVICE} --json`);
    expect(json()[0]).toMatchObject({
      already: true,
      registration: { claimed: true, email: ALICE },
      token: { scopes: ['api.read', 'api.write'] },
    });
  });

  it.each<[string, (machine: Machine, open: { code: string; page: string }) => unknown, string]>([
    ['while its user has not acted', () => {}, '8 already pending'],
    ['once its user has', (machine, open) => userApproves(machine, open), '0 already registered'],
    [
      'once its user has refused',
      (machine, open) => userApproves(machine, open, 'deny'),
      '8 already pending',
    ],
    ['after the code', (machine) => machine.clock.advance(11 * MINUTE), '8 already pending'],
    ['after the window', (machine) => machine.clock.advance(25 * 60 * MINUTE), '8 new pending'],
    ['at a service that was set up again', startAnew, '8 new pending'],
  ])('by email, %s', async (_case, happens, expected) => {
    const { machine, run, open } = await emailMachine();
    await happens(machine, open);
    const again = await run(`${byEmail} --json`);
    expect(said(again)).toBe(expected);
    const text = JSON.stringify((await run('status --json')).json());
    const current = /"registration_id":"([^"]+)"(?:(?!registration_id).)*"current":true/.exec(text);
    expect(current?.[1]).toBe(idOf(again));
    expect(await ids(run)).toHaveLength(expected.includes('new') ? 2 : 1);
  });

  it('shows the same code while it is good, and a new one after that', async () => {
    const { machine, run, open } = await emailMachine();
    expect(ceremonyOf(await run(`${byEmail} --json`))).toEqual(open);
    machine.clock.advance(11 * MINUTE);
    const later = ceremonyOf(await run(`${byEmail} --json`));
    expect(later.page).not.toBe(open.page);
    await userApproves(machine, later);
    machine.clock.advance(5000);
    expect(said(await run(`${byEmail} --json`))).toBe('0 already registered');
  });

  it('opens no new code for a user who refused, and says how to ask again', async () => {
    const { machine, run, open } = await emailMachine();
    await userApproves(machine, open, 'deny');
    const { code, stdout } = await run(byEmail);
    expect(code).toBe(8);
    expect(stdout).toContain('its user denied the claim.');
    expect(stdout).toContain('Next: agent-auth claim --renew');
  });

  it.each([
    ['anonymously', `register ${SERVICE}`, 'Registered anonymously at Test Service.'],
    ['by email', byEmail, 'Registered at Test Service;'],
  ])('registers again %s where the old one was revoked, and says so', async (_case, line, made) => {
    const machine = await machineWithService();
    const run = shell(machine);
    const first = await run(`${line} --json`);
    const open =
      line === byEmail
        ? ceremonyOf(first)
        : ceremonyOf(await run(`claim --email ${ALICE} --no-wait --json`));
    await userApproves(machine, open);
    await run('claim wait');
    await endAtConnections(machine);
    const { stdout } = await run(line);
    expect(stdout).toContain(made);
    expect(stdout).toMatch(new RegExp(`no longer knows ${idOf(first)} \\(.+\\)`));
    expect(stdout).not.toContain('agent-auth use');
  });

  it('registers and ends nothing where the service cannot say: exit 7', async () => {
    const { machine, run } = await registered();
    const right = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, (request) =>
      new URL(request.url).pathname === '/oauth2/token'
        ? new Response('down', { status: 503 })
        : (right?.(request) ?? new Response(null, { status: 404 })),
    );
    const { code, json } = await run(`register ${SERVICE} --json`);
    expect(code).toBe(7);
    expect(json()[0]?.['error']).toMatchObject({
      message: expect.stringContaining('so nothing was registered'),
      next: { line: `agent-auth register ${SERVICE}` },
    });
    if (right !== undefined) machine.servers.set(SERVICE, right);
    expect(said(await run(`register ${SERVICE} --json`))).toBe('0 already registered');
  });

  it('makes another one for --new, which is in use then, and says how to go back', async () => {
    const { run } = await registered();
    const first = idOf(await run(`register ${SERVICE} --json`));
    const another = await run(`register ${SERVICE} --new --json`);
    expect(another.json()[0]).toMatchObject({
      already: false,
      previous: { registration_id: first, next: expect.anything() },
    });
    const { stdout } = await run(`register ${SERVICE} --email bob@example.com`);
    expect(stdout).toContain(`It is in use now instead of ${idOf(another)} (anonymous).`);
    expect(stdout).toContain(`Back: agent-auth use ${idOf(another)}`);
    expect((await run(`use ${idOf(another)}`)).code).toBe(0);
    expect((await run('call /api/resource')).code).toBe(0);
  });

  it('with --provider, says already only while the assertion is good', async () => {
    const { machine, run } = await consented();
    const line = `register ${SERVICE} --provider ${PROVIDER} --yes --json`;
    expect(said(await run(line))).toBe('0 new registered');
    expect(said(await run(line))).toBe('0 already registered');
    machine.clock.advance(61 * MINUTE);
    expect(said(await run(line))).not.toContain('already');
  });

  it('always sends an --assertion; one that was sent before wants another to be minted', async () => {
    const { run } = await consented();
    const mint = async () => (await run(`provider mint --audience ${SERVICE}`)).stdout;
    const line = `register ${SERVICE} --assertion - --json`;
    const stdin = await mint();
    const first = await run(line, { stdin });
    expect(said(first)).toBe('0 new registered');
    const second = await run(line, { stdin: await mint() });
    expect([said(second), idOf(second)]).toEqual(['0 new registered', idOf(first)]);
    const replayed = await run(line, { stdin });
    expect(replayed.json()[0]?.['error']).toMatchObject({ code: 'replay_detected' });
    expect(JSON.stringify(replayed.json()[0]?.['error'])).toContain('provider mint');
  });
});

describe('use', () => {
  it('takes another registration into use, also by the beginning of its id', async () => {
    const { run } = await registered(`register ${SERVICE} --email ${ALICE}`);
    const [first = ''] = await ids(run);
    const { code, stdout } = await run(`use ${first.slice(0, 12)}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`${first} (anonymous) is in use now at Test Service instead of reg_`);
    expect((await run('call /api/resource')).code).toBe(0);
    expect((await run(`use ${first} --json`)).json()[0]).toMatchObject({
      schema: 'agent-auth.use/1',
      status: 'in_use',
      service: { issuer: SERVICE, name: 'Test Service' },
      registration: { registration_id: first },
      previous: null,
    });
  });

  it.each([
    ['an unknown id', 'use reg_nobody', 'registration_unknown'],
    ['the beginning of several', 'use reg_', 'registration_ambiguous'],
    ['no id', 'use', 'answer_missing'],
  ])('exits 2 for %s, and lists what there is', async (_case, line, expected) => {
    const { run } = await registered(`register ${SERVICE} --email ${ALICE}`);
    const all = await ids(run);
    const { code, stderr } = await run(line);
    expect(code).toBe(2);
    for (const id of all) expect(stderr).toContain(id);
    expect((await run(`${line} --json`)).json()[0]).toMatchObject({
      error: { code: expected },
      registrations: all.map((registration_id) => ({ registration_id, issuer: SERVICE })),
    });
  });

  it('exits 4 where nothing is registered, and for one that was revoked', async () => {
    const empty = shell(await machineWithService());
    expect(await empty('use reg_1')).toMatchObject({ code: 4 });
    const { machine, run, open } = await emailMachine();
    await userApproves(machine, open);
    await run('claim wait');
    await endAtConnections(machine);
    const [old = ''] = await ids(run);
    await run(byEmail);
    const { code, stderr } = await run(`use ${old}`);
    expect(code).toBe(4);
    expect(stderr).toContain('was revoked');
    expect(stderr).toContain(`Next: agent-auth forget ${old}`);
  });
});

describe('status', () => {
  it('says where a call without --service goes, of several services', async () => {
    const { machine, run } = await registered();
    const begin = 'Calls without --service go to';
    expect((await run('status')).stdout).not.toContain(begin);
    const other = 'http://127.0.0.1:4900';
    await machine.store.update((current) => {
      const services = current.services.map((one) => ({ ...one, resource: other, issuer: other }));
      return [{ ...current, services: [...current.services, ...services] }, undefined];
    });
    expect((await run('status')).stdout).toContain(`${begin}: ${SERVICE} (used last)`);
    const env = { AGENT_AUTH_SERVICE: '127.0.0.1:4900' };
    expect((await run('status', { env })).stdout).toContain(
      `${begin}: ${other} (AGENT_AUTH_SERVICE)`,
    );
    await machine.store.update((current) => [{ ...current, lastService: null }, undefined]);
    expect((await run('status')).stdout).toContain('Calls need --service');
  });

  it('keeps the line of an email address that is none, with another one to be filled in', async () => {
    const { run } = await registered();
    const { code, stderr } = await run(`connect ${SERVICE} --email nonsense`);
    expect(code).toBe(2);
    expect(stderr).toContain(`Next: agent-auth connect ${SERVICE} --email EMAIL`);
  });

  it('explains its two marks', async () => {
    const { run } = await registered(`register ${SERVICE} --email ${ALICE}`);
    const { stdout } = await run('status');
    expect(stdout).toMatch(/○ reg_.+anonymous/);
    expect(stdout).toMatch(/● reg_.+service_auth/);
    expect(stdout).toContain('● in use at its service · ○ not in use: agent-auth use REGISTRATION');
  });

  it('gives the state of a registration by ID-JAG as the specification does', async () => {
    const { run } = await consented('bob@example.com');
    expect((await run(`register ${SERVICE} --provider ${PROVIDER}`)).code).toBe(0);
    const { stdout } = await run('status');
    expect(stdout).toMatch(/state +claimed \(specification: identity established\)/);
    const [{ services } = { services: [] }] = (await run('status --json')).json();
    const state = { state: 'claimed', specification_state: 'identity established' };
    expect(services).toMatchObject([{ registrations: [state] }]);
  });

  it('gives the state by our name and by the name of the specification', async () => {
    const { run } = await registered(`register ${SERVICE} --email ${ALICE}`);
    const { stdout } = await run('status');
    expect(stdout).toMatch(/state +unclaimed \(specification: pre-claim\)/);
    expect(stdout).toMatch(/state +pending \(specification: claim attempt open\)/);
    const [{ services } = { services: [] }] = (await run('status --json')).json();
    expect(services).toMatchObject([
      {
        registrations: [
          { state: 'unclaimed', specification_state: 'pre-claim' },
          { state: 'pending', specification_state: 'claim attempt open' },
        ],
      },
    ]);
  });

  it('shows a revoked registration with nothing that it may do', async () => {
    const { machine, run, open } = await emailMachine();
    await userApproves(machine, open);
    await run('claim wait');
    await endAtConnections(machine);
    await run('token --renew');
    const { stdout } = await run('status');
    expect(stdout).toMatch(
      /● reg_\S+ {2}service_auth {2}revoked\n +user +alice@example.com\n +scopes +nothing any more\n +dialect +flat\n\n/,
    );
    expect((await run('status --json')).json()[0]).toMatchObject({
      services: [
        {
          registrations: [
            { state: 'revoked', scopes: [], token_expires: null, assertion_expires: null },
          ],
        },
      ],
    });
  });
});

describe('forget', () => {
  it('takes the id of one at another service, or its beginning, and says which is in use now', async () => {
    const { run } = await registered(`register ${SERVICE} --email ${ALICE}`);
    const [first = '', second = ''] = await ids(run);
    const { code, stdout } = await run(`forget ${second.slice(0, 12)}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`In use now: ${first}.`);
  });
});
