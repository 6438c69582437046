import { describe, expect, it } from 'vitest';
import { jwt } from '../../agent/support/bench.ts';
import { AsShownHere } from '../../support/as-shown-here.ts';
import { SERVICE as MOCK, registered } from '../support/mocks.ts';
import type { Handler } from '../support/run-cli.ts';
import { newMachine, type RunOptions, runCli } from '../support/run-cli.ts';

const BASE = 'https://odd.example';

/** A service that answers a registration in words of its own. */
async function odd() {
  const machine = newMachine();
  const service = await AsShownHere.start(BASE, () => machine.clock.now());
  const state = { registrations: 0, understood: false };
  machine.servers.set(BASE, async (request) => {
    if (state.understood || new URL(request.url).pathname !== '/agent/identity') {
      return service.fetch(request);
    }
    state.registrations += 1;
    return Response.json({ registration_id: 'reg_7', passport: { assertion: 'secret-1' } });
  });
  return {
    state,
    run: (line: string, options?: RunOptions) => runCli(machine, line.split(' '), options),
  };
}

const SECRET = /secret-1|reg_7/;

describe('a registration whose answer was not understood', () => {
  it('was lost and made again by the next try: it is kept, named, and not made again', async () => {
    const { run, state } = await odd();
    const first = await run(`register ${BASE}`);
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toContain(
      'It sent: registration_id: string, passport: { assertion: string }.',
    );
    expect(first.stderr).toContain('Do not register again.');
    expect(first.stderr).toContain('Next: agent-auth status');
    expect(first.stderr).not.toMatch(SECRET);

    const second = await run(`register ${BASE} --json`);
    expect(second.code).toBe(1);
    expect(second.json()[0]).toMatchObject({ error: { code: 'registered_not_understood' } });
    expect((await run(`call ${BASE}/api/resource --yes`)).code).toBe(1);
    expect(state.registrations).toBe(1);
    expect((await run(`register ${BASE} --new`)).code).toBe(1);
    expect(state.registrations).toBe(2);
  });

  it('by --assertion, is made again with --new (it was refused with the hint --new)', async () => {
    const { run, state } = await odd();
    const give = (line: string, sub = 'user-1') =>
      run(line, { stdin: jwt({ aud: BASE, iss: 'https://idp.example', sub }) });
    await give(`register ${BASE} --assertion -`);
    const refused = await give(`register ${BASE} --assertion - --json`);
    expect(refused.json()[0]).toMatchObject({ error: { code: 'registered_not_understood' } });
    expect(state.registrations).toBe(1);
    state.understood = true;
    expect(await give(`register ${BASE} --assertion - --new`)).toMatchObject({ code: 0 });
    expect(await give(`register ${BASE} --assertion -`, 'user-2')).toMatchObject({ code: 0 });
  });

  it('of a page that need not be the service’s, status says "may be" (it said "registered")', async () => {
    const machine = newMachine();
    const service = await AsShownHere.start(BASE, () => machine.clock.now());
    machine.servers.set(BASE, (request) =>
      request.method === 'POST' ? new Response('<h1>Log in</h1>') : service.fetch(request),
    );
    const first = await runCli(machine, ['register', BASE]);
    expect(first.stderr).toContain('The agent may be registered there now');
    expect((await runCli(machine, ['status'])).stdout).toContain(
      'may be registered; the answer was not understood',
    );
  });

  it('shows in status, as text and in JSON, without a value', async () => {
    const { run } = await odd();
    await run(`register ${BASE}`);
    const shown = await run('status');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain(
      'registered; the answer was not understood: do not register again',
    );
    expect(shown.stdout).not.toContain('No registration is stored');
    const json = await run('status --json');
    expect(json.json()[0]).toMatchObject({
      not_understood: [
        {
          issuer: BASE,
          of: 'registration',
          meaning: 'registered; the answer was not understood: do not register again',
          register_again: false,
          registration_type: 'anonymous',
          members: ['registration_id: string', 'passport: { assertion: string }'],
        },
      ],
      next: null,
    });
    expect(shown.stdout + json.stdout).not.toMatch(SECRET);
    expect((await run(`doctor --service ${BASE}`)).stdout).toContain('do not register again');
  });

  it.each(['forget', `forget --service ${BASE}`, 'forget ID'])('is removed by %s', async (line) => {
    const { run, state } = await odd();
    await run(`register ${BASE}`);
    const [
      {
        not_understood: [{ id }],
      },
    ] = (await run('status --json')).json() as [{ not_understood: [{ id: string }] }];
    expect((await run(line.replace('ID', id))).stdout).toContain(`${id} is removed`);
    expect((await run('status')).code).toBe(4);
    state.understood = true;
    expect((await run(`register ${BASE}`)).code).toBe(0);
  });
});

describe('a claim whose answer was not understood', () => {
  async function oddClaim() {
    const { machine, run } = await registered();
    const real = machine.servers.get(MOCK) as Handler;
    machine.servers.set(MOCK, (request) =>
      new URL(request.url).pathname === '/agent/identity/claim'
        ? Response.json({ claim_attempt: { user_code: 7 } })
        : real(request),
    );
    await run('claim --email a@b.example --no-wait');
    return run;
  }

  it('stood in a block of its own in status: it stands with its registration', async () => {
    const { stdout } = await (await oddClaim())('status');
    expect(stdout).toMatch(/● [\s\S]*\n {2}\? kept_[0-9a-f]{8}/);
    expect(stdout.match(/service\.example/g)?.length).toBe(
      (await (await registered()).run('status')).stdout.match(/service\.example/g)?.length,
    );
  });

  it('was denied by claim wait, which names what is kept', async () => {
    const { stderr } = await (await oddClaim())('claim wait');
    expect(stderr).toMatch(/an answer that was not understood is kept as kept_[0-9a-f]{8}\./);
  });
});
