import { afterEach, describe, expect, it } from 'vitest';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { ALICE, Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { Host, type Result } from './support/host.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(dialect: string, era: 'legacy' | 'modern') {
  const twin = await Twin.start({ dialect });
  const host = await Host.start(twin.options, { era });
  open.push(twin, host);
  return { twin, host };
}

/** The user does what the answer says, and the tool that it names goes on. */
async function finish(twin: Twin, host: Host, { data }: Result): Promise<Result> {
  const { claim, next } = data;
  if (claim.kind === 'type_there') {
    await twin.typeCode(claim.verification_uri, claim.user_code.replace(/\D/g, ''));
    return host.call(next.tool, next.arguments);
  }
  expect(next.needs).toEqual(['code']);
  const code = await twin.codeFor({
    kind: 'read_back',
    verificationUri: claim.verification_uri,
    mailedTo: claim.mailed_to,
    openable: true,
    expiresAt: 0,
    remaining: 0,
  });
  return host.call(next.tool, { ...next.arguments, code });
}

describe.each(DIALECT_IDS)('tools at a service that speaks %s', (dialect) => {
  it.each(['legacy', 'modern'] as const)(
    'connect anonymously, have it claimed, call and leave (%s host)',
    async (era) => {
      const { twin, host } = await start(dialect, era);
      const connected = await host.call('connect', { service: BASE, prove_with: '/api/resource' });
      expect(connected.data).toMatchObject({
        status: 'connected',
        call: { status: 200 },
        next: { tool: 'call', arguments: { service: BASE }, needs: ['target'] },
        more: { tool: 'start_claim', needs: ['email'] },
      });
      const refused = await host.call('call', { target: '/api/resource', method: 'POST' });
      expect(refused).toMatchObject({
        isError: true,
        data: { error: { code: 'insufficient_scope' }, next: { tool: 'start_claim' } },
      });

      const started = await host.call('start_claim', { email: ALICE });
      expect(started.data).toMatchObject({ status: 'pending', registration: { state: 'pending' } });
      const claimed = await finish(twin, host, started);
      expect(claimed.data).toMatchObject({
        status: 'claimed',
        registration: { claimed: true, user: ALICE },
      });
      const called = await host.call('call', { target: '/api/resource', method: 'POST' });
      expect(called.data).toMatchObject({ status: 'answered', http_status: 200, ok: true });

      const left = await host.call('leave');
      expect(left.data).toMatchObject({ status: 'left' });
      // Of a token that was not revoked, the model hears that it may be valid still.
      expect(left.text.includes('may still be valid')).toBe(left.data.revocation !== 'revoked');
      expect(await host.call('call', { target: '/api/resource' })).toMatchObject({
        isError: true,
        data: { error: { code: 'not_registered' }, next: { tool: 'connect' } },
      });
    },
  );

  it('connects for a user, who has to act, and goes on where it stopped', async () => {
    const { twin, host } = await start(dialect, 'modern');
    const pending = await host.call('connect', { service: BASE, email: ALICE });
    expect(pending.data).toMatchObject({ status: 'pending', registration: { user: ALICE } });
    expect((await finish(twin, host, pending)).data.status).toBe('claimed');
    const again = await host.call('connect', { service: BASE, email: ALICE });
    expect(again.data).toMatchObject({ status: 'connected', already: true });
  });

  it('registers once, and again only where another is asked for', async () => {
    const { host } = await start(dialect, 'modern');
    const first = await host.call('register', { service: BASE });
    expect(first.data).toMatchObject({ status: 'registered', already: false });
    expect((await host.call('register', { service: BASE })).data.already).toBe(true);
    const other = await host.call('register', { service: BASE, new: true });
    const id = first.data.registration.registration_id;
    expect(other.data).toMatchObject({ already: false, previous_registration_id: id });
    const back = await host.call('switch_registration', { registration: id });
    expect(back.data).toMatchObject({ status: 'in_use', registration: { registration_id: id } });
    const { services } = (await host.call('get_status')).data;
    expect(services[0].registrations).toHaveLength(2);
  });

  it('says what the service offers, and shows its instructions as a text of a stranger', async () => {
    const { host } = await start(dialect, 'modern');
    const found = await host.call('discover', { service: BASE });
    expect(found.data).toMatchObject({ status: 'found', next: { tool: 'connect' } });
    if (!found.data.has_skill) return;
    const skill = await host.call('read_skill', { service: BASE });
    expect(skill.data.untrusted_text).toContain('#');
    expect(skill.text).toMatch(/\[untrusted (\S+)\] Skill file[\s\S]*\[end \1\]$/);
  });
});
