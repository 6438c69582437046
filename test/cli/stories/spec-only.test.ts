import { describe, expect, it } from 'vitest';
import { SpecOnlyService } from '../../support/spec-only-service.ts';
import { type Machine, newMachine, runCli } from '../support/run-cli.ts';

const BASE = 'https://plain.example';
const SAID = /! .* did not say what type of token it gave; it is used as a bearer token\./;

function trial(): { machine: Machine; service: SpecOnlyService } {
  const machine = newMachine();
  const service = new SpecOnlyService({ base: BASE, now: () => machine.clock.now() });
  machine.servers.set(BASE, service.fetch);
  return { machine, service };
}

const run = (machine: Machine, line: string) => runCli(machine, line.split(' '));

describe('at a service that says no more than the specification shows', () => {
  it('each command that exchanges says that no token type came', async () => {
    const { machine, service } = trial();
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
    expect(claimed.stdout).toMatch(/may +not said/);
  });

  it('and says so in JSON, too', async () => {
    const { machine } = trial();
    const warnings = [{ code: 'token_type_missing' }];
    const registered = (await run(machine, `register ${BASE} --json`)).json()[0];
    expect(registered).toMatchObject({
      status: 'registered',
      registration: { pre_claim_scopes: null, post_claim_scopes: null, assertion_expires: null },
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

  it('scopes that nobody said are "not said", never "nothing yet"', async () => {
    const { machine } = trial();
    expect((await run(machine, `register ${BASE}`)).stdout).toMatch(/may +not said/);
    const status = await run(machine, 'status');
    expect(status.stdout).toMatch(/may +not said/);
    const [shown] = (await run(machine, 'status --json')).json();
    expect(shown).toMatchObject({ services: [{ registrations: [{ scopes: null }] }] });
  });
});
