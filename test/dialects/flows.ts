import { expect } from 'vitest';
import type { Ceremony } from '../../src/agent/index.ts';
import type { RegisterOutcome } from '../../src/agent/outcomes.ts';
import { MINUTE } from '../../src/protocol/index.ts';
import type { DialectFlow } from './possible-flows.ts';
import { ALICE, type Twin } from './twin.ts';

/** What can happen between an agent and a service, in either direction of the ceremony. */
export const FLOWS: Readonly<Record<DialectFlow, (twin: Twin) => Promise<void>>> = {
  anonymous: async (twin) => {
    const made = expectStatus(await twin.register({ type: 'anonymous' }), 'registered');
    expect(await mayCall(twin)).toBe(true);
    expect(made.registration.claimed).toBe(false);
  },

  'claimed afterwards': async (twin) => {
    await twin.register({ type: 'anonymous' });
    expect(await mayWrite(twin)).toBe(false);
    const claimed = await twin.approve(await claim(twin));
    expect(claimed).toMatchObject({ status: 'claimed', registration: { email: ALICE } });
    expect(await mayWrite(twin)).toBe(true);
  },

  'by email': async (twin) => {
    const ceremony = ceremonyOf(await twin.register({ type: 'service_auth', loginHint: ALICE }));
    expect(await twin.approve(ceremony)).toMatchObject({ status: 'claimed' });
    expect(await mayWrite(twin)).toBe(true);
  },

  'by ID-JAG': async (twin) => {
    const assertion = await twin.idJag();
    expectStatus(await twin.register({ type: 'identity_assertion', assertion }), 'registered');
    expect(await mayWrite(twin)).toBe(true);
  },

  'link confirmed': async (twin) => {
    const assertion = await twin.idJag('known@example.com');
    const ceremony = ceremonyOf(await twin.register({ type: 'identity_assertion', assertion }));
    expect(await twin.approve(ceremony, 'known@example.com')).toMatchObject({ status: 'claimed' });
    expect(await mayWrite(twin)).toBe(true);
  },

  'code before its confirmation': async (twin) => {
    const ceremony = ceremonyOf(await twin.register({ type: 'service_auth', loginHint: ALICE }));
    if (ceremony.kind === 'type_there') throw new Error('The agent has no code to hand in.');
    if (ceremony.verificationUri === null) throw new Error('There is no page to confirm on.');
    // Whatever the code is: nothing is said about it, and it counts as no try.
    for (let tries = 0; tries < 6; tries += 1) {
      const outcome = await twin.agent.submitCode({ code: twin.secret('000000') });
      expect(outcome.status).toBe('not_confirmed');
    }
    expect(await twin.approve(ceremony)).toMatchObject({ status: 'claimed' });
    expect(await mayWrite(twin)).toBe(true);
  },

  'wrong code': async (twin) => {
    const ceremony = ceremonyOf(await twin.register({ type: 'service_auth', loginHint: ALICE }));
    if (ceremony.kind === 'type_there') {
      const right = ceremony.userCode.reveal();
      const page = await twin.typeCode(ceremony.verificationUri, other(right));
      expect(page.text).toContain('That code is wrong.');
    } else {
      const right = await twin.codeFor(ceremony);
      const outcome = await twin.agent.submitCode({ code: twin.secret(other(right)) });
      expect(outcome.status).toBe('wrong_code');
    }
    expect(await twin.approve(ceremony)).toMatchObject({ status: 'claimed' });
  },

  expiry: async (twin) => {
    expect(await letExpire(twin)).toBe('attempt_expired');
  },

  're-open': async (twin) => {
    expect(await letExpire(twin)).toBe('attempt_expired');
    const started = await twin.agent.startClaim();
    if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
    expect(started.resumed).toBe(false);
    expect(await twin.approve(started.ceremony)).toMatchObject({ status: 'claimed' });
  },

  denial: async (twin) => {
    const ceremony = ceremonyOf(await twin.register({ type: 'service_auth', loginHint: ALICE }));
    const code = ceremony.kind === 'read_back' ? await twin.codeFor(ceremony) : undefined;
    await twin.deny(ceremony);
    const ended = code === undefined ? await twin.agent.waitForClaim() : await twin.handIn(code);
    expect(ended.status).toBe('denied');
  },

  revocation: async (twin) => {
    await twin.register({ type: 'anonymous' });
    await twin.approve(await claim(twin));
    await revokeAtService(twin);
    await expect(twin.agent.call('/api/resource')).rejects.toMatchObject({
      kind: 'not_registered',
    });
  },

  'token revoked by the agent': async (twin) => {
    await twin.register({ type: 'anonymous' });
    const token = await twin.agent.token();
    expect((await twin.agent.revoke()).status).toBe('revoked');
    const headers = { authorization: `Bearer ${token.value.reveal()}` };
    expect((await twin.harness.send('GET', '/api/resource', { headers })).status).toBe(401);
  },

  'assertion renewed': async (twin) => {
    await twin.register({ type: 'anonymous' });
    await twin.approve(await claim(twin));
    const assertion = (await stored(twin)).assertion;
    const end = assertion?.expiresAt;
    if (end == null) throw new Error('The assertion has no end, so nothing is to be renewed.');
    twin.harness.clock.advance(end - twin.harness.clock.now());
    expect((await twin.agent.token()).fresh).toBe(true);
    expect(await mayWrite(twin)).toBe(true);
  },
};

/** A registration by email whose code nobody uses in time. */
async function letExpire(twin: Twin): Promise<string> {
  const ceremony = ceremonyOf(await twin.register({ type: 'service_auth', loginHint: ALICE }));
  const code = ceremony.kind === 'read_back' ? await twin.codeFor(ceremony) : undefined;
  twin.harness.clock.advance(10 * MINUTE);
  const ended = code === undefined ? await twin.agent.waitForClaim() : await twin.handIn(code);
  return ended.status;
}

async function claim(twin: Twin): Promise<Ceremony> {
  const started = await twin.agent.startClaim({ email: ALICE });
  if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
  return started.ceremony;
}

function ceremonyOf(outcome: RegisterOutcome): Ceremony {
  return expectStatus(outcome, 'claim_pending').ceremony;
}

function expectStatus<T extends { readonly status: string }, S extends T['status']>(
  outcome: T,
  status: S,
): Extract<T, { readonly status: S }> {
  if (outcome.status !== status) throw new Error(`Expected ${status}, got ${outcome.status}.`);
  return outcome as Extract<T, { readonly status: S }>;
}

async function mayCall(twin: Twin): Promise<boolean> {
  return (await twin.agent.call('/api/resource')).status === 200;
}

/** Whether the scopes of after a claim are there. */
async function mayWrite(twin: Twin): Promise<boolean> {
  try {
    return (await twin.agent.call('/api/resource', { method: 'POST' })).status === 200;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'insufficient_scope') return false;
    throw error;
  }
}

async function stored(twin: Twin) {
  const { services } = await twin.agent.status();
  const [one] = services.flatMap(({ registrations }) => registrations);
  if (one === undefined) throw new Error('Nothing is stored.');
  return one.registration;
}

/** The user ends the connection on the service's own page. */
async function revokeAtService(twin: Twin): Promise<void> {
  const page = await twin.alice.openSignedIn('https://service.test/connections', ALICE);
  const { id } = await stored(twin);
  await twin.alice.submit(page, '/connections', { registration_id: id });
}

function other(code: string): string {
  return code.replace(/\D/g, '') === '000000' ? '000001' : '000000';
}
