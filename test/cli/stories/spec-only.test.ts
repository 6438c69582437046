import { describe, expect, it } from 'vitest';
import { AsShownHere } from '../../support/as-shown-here.ts';
import { inTheNextWait } from '../support/connected.ts';
import { type Machine, newMachine, runCli } from '../support/run-cli.ts';

const BASE = 'https://plain.example';
const SAID = /! .* did not say what type of token it gave; it is used as a bearer token\./;

async function trial(): Promise<{ machine: Machine; service: AsShownHere }> {
  const machine = newMachine();
  const service = await AsShownHere.start(BASE, () => machine.clock.now());
  machine.servers.set(BASE, service.fetch);
  return { machine, service };
}

const run = (machine: Machine, line: string) => runCli(machine, line.split(' '));

describe('at a service that says no more than the specification shows', () => {
  it('each command that exchanges says that no token type came', async () => {
    const { machine, service } = await trial();
    const registered = await run(machine, `register ${BASE}`);
    expect(registered).toMatchObject({ code: 0, stderr: expect.stringMatching(SAID) });
    expect((await run(machine, 'token')).stderr).toBe('');
    expect((await run(machine, 'token --renew')).stderr).toMatch(SAID);
    await run(machine, 'revoke');
    expect((await run(machine, 'call /api/resource')).stderr).toMatch(SAID);

    const opened = await run(machine, 'claim --email alice@example.com --no-wait --json');
    const { claim } = opened.json()[0] as { claim: Record<string, string> };
    await service.claim(claim['verification_uri'] ?? '', claim['user_code'] ?? '');
    const claimed = await run(machine, 'claim wait');
    expect(claimed).toMatchObject({ code: 0, stderr: expect.stringMatching(SAID) });
    expect(claimed.stdout).toMatch(/scopes +not stated/);
  });

  it('and says so in JSON, too', async () => {
    const { machine } = await trial();
    const warnings = [{ code: 'token_type_missing' }];
    const registered = (await run(machine, `register ${BASE} --json`)).json()[0];
    expect(registered).toMatchObject({
      status: 'registered',
      registration: {
        pre_claim_scopes: null,
        post_claim_scopes: null,
        assertion_expires: '2026-01-02T00:00:00.000Z',
      },
      token: { scopes: null, expires_at: null },
      warnings,
    });
    expect((await run(machine, 'token --renew --json')).json()[0]).toMatchObject({
      token_type: 'Bearer',
      scopes: null,
      warnings,
    });
    await run(machine, 'revoke');
    expect((await run(machine, 'call /api/resource --json')).json()[0]).toMatchObject({ warnings });
  });

  it('connect says it of registration, claim and call, in text and JSON (it said nothing)', async () => {
    const warnings = [{ code: 'token_type_missing' }];
    const text = await trial();
    const said = (await run(text.machine, `connect ${BASE}`)).stderr;
    expect(said.match(new RegExp(SAID, 'g'))).toHaveLength(1);

    const { machine, service } = await trial();
    const first = (await run(machine, `connect ${BASE} --json`)).json();
    expect(first.find(({ step }) => step === 'register')).toMatchObject({ warnings });
    expect(first.at(-1)).toMatchObject({ step: 'summary', warnings });

    const line = `connect ${BASE} --claim --email alice@example.com --json`;
    const { claim } = (await run(machine, `${line} --no-wait`)).json().at(-1) as {
      claim: Record<string, string>;
    };
    inTheNextWait(machine, () =>
      service.claim(claim['verification_uri'] ?? '', claim['user_code'] ?? ''),
    );
    const claimed = (await run(machine, line)).json();
    expect(claimed.find(({ status }) => status === 'claimed')).toMatchObject({ warnings });
    expect(claimed.at(-1)).toMatchObject({ warnings });
  });

  it('connect tells of the registration that the service has forgotten (it replaced it silently)', async () => {
    const { machine } = await trial();
    await run(machine, `connect ${BASE}`);
    const [old] = (await machine.store.read()).services[0]?.registrations ?? [];
    const another = await AsShownHere.start(BASE, () => machine.clock.now());
    machine.servers.set(BASE, another.fetch);
    const again = await run(machine, `connect ${BASE} --json`);
    const told = again.json().find(({ step }) => step === 'register');
    expect(told).toMatchObject({ already: false, ended: [old?.id] });
    machine.servers.set(BASE, (await trial()).service.fetch);
    const shown = (await run(machine, `connect ${BASE}`)).stderr;
    expect(shown).toMatch(/The service no longer knows \S+ \(.*\)\./);
  });

  it('scopes that the service does not state are "not stated", never "nothing yet"', async () => {
    const { machine } = await trial();
    expect((await run(machine, `register ${BASE}`)).stdout).toMatch(/scopes +not stated/);
    const status = await run(machine, 'status');
    expect(status.stdout).toMatch(/scopes +not stated/);
    const [shown] = (await run(machine, 'status --json')).json();
    expect(shown).toMatchObject({ services: [{ registrations: [{ scopes: null }] }] });
  });
});
