import { describe, expect, it, onTestFinished } from 'vitest';
import { ToolError } from '../../src/mcp/answer/answer.ts';
import { suitTool } from '../../src/mcp/errors/access-ended.ts';
import type { McpWorld } from '../../src/mcp/world/mcp-world.ts';
import { Secret } from '../../src/runtime/index.ts';
import { ALICE, type Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { Host } from './support/host.ts';
import { startTwin } from './support/start-twin.ts';

/** Alice has claimed a registration, which the service then revokes. */
async function revoked({ twin, host }: { twin: Twin; host: Host }, first: object): Promise<string> {
  const pending = await host.call('connect', { service: BASE, ...first });
  const { claim, registration } =
    pending.data.status === 'pending'
      ? pending.data
      : (await host.call('start_claim', { email: ALICE })).data;
  await twin.typeCode(claim.verification_uri, claim.user_code.replace(/\D/g, ''));
  expect((await host.call('await_claim')).data.status).toBe('claimed');
  await twin.harness.service.controls.revoke(registration.registration_id);
  return registration.registration_id;
}

/** Tells the model of the user, and lacks the user's word. */
const ASKS_FIRST = {
  isError: true,
  text: expect.stringContaining('register again only if they agree'),
  data: {
    error: { code: 'registration_over' },
    next: { tool: 'connect', arguments: { service: BASE, email: ALICE }, needs: ['new'] },
  },
};

async function registrations(host: Host): Promise<number> {
  const { services } = (await host.call('get_status')).data;
  return services[0].registrations.length;
}

describe('an access that was revoked', () => {
  it.each([
    ['for a user', { email: ALICE }],
    ['anonymously, and claimed', {}],
  ])(
    'led to a new registration without a word to the user (registered %s)',
    async (_how, first) => {
      const both = await startTwin();
      const { host } = both;
      const id = await revoked(both, first);
      expect(await host.call('call', { target: '/api/resource' })).toMatchObject(ASKS_FIRST);
      for (const [tool, given] of [
        ['await_claim', {}],
        ['start_claim', {}],
        ['register', {}],
        ['connect', {}],
        ['connect', { email: ALICE }],
      ] as const) {
        expect(await host.call(tool, given), tool).toMatchObject(ASKS_FIRST);
      }
      expect((await host.call('get_status')).data.next).toEqual(ASKS_FIRST.data.next);
      expect(await registrations(host)).toBe(1);

      const again = await host.call('connect', { service: BASE, email: ALICE, new: true });
      expect(again.data.status).toBe('pending');
      expect(again.text).toContain(`no longer has the earlier registration ${id}`);
      expect(await registrations(host)).toBe(2);
    },
  );

  it('was not mentioned by the connect that found out', async () => {
    const both = await startTwin();
    const id = await revoked(both, { email: ALICE });
    const again = await both.host.call('connect', { service: BASE, email: ALICE });
    expect(again.data.status).toBe('pending');
    expect(again.text).toContain(`no longer has the earlier registration ${id}`);
  });

  it('was said to leave a token that may still be valid', async () => {
    const both = await startTwin();
    await revoked(both, { email: ALICE });
    await both.host.call('call', { target: '/api/resource' });
    const { data, text } = await both.host.call('leave');
    expect(text).toContain('Its access had been ended before.');
    expect(text).not.toContain('may still be valid');
    expect(data).toMatchObject({ status: 'left', token_expires_in_seconds: null });
  });

  it('does not keep another user from connecting', async () => {
    const both = await startTwin();
    await revoked(both, { email: ALICE });
    await both.host.call('call', { target: '/api/resource' });
    const other = await both.host.call('connect', { service: BASE, email: 'bob@example.com' });
    expect(other.data.status).toBe('pending');
  });

  it('took the same user for another, who was written otherwise', async () => {
    const both = await startTwin();
    await revoked(both, { email: ALICE });
    await both.host.call('call', { target: '/api/resource' });
    for (const tool of ['connect', 'register']) {
      const again = await both.host.call(tool, { service: BASE, email: 'Alice@Example.COM' });
      expect(again, tool).toMatchObject(ASKS_FIRST);
    }
    expect(await registrations(both.host)).toBe(1);
  });

  it('took any user for another, where nobody was known', async () => {
    const { twin, host } = await startTwin();
    const { registration } = (await host.call('connect', { service: BASE })).data;
    await twin.harness.service.controls.revoke(registration.registration_id);
    await host.call('call', { target: '/api/resource' });
    for (const tool of ['connect', 'register']) {
      const { data } = await host.call(tool, { service: BASE, email: ALICE });
      expect(data, tool).toMatchObject({
        error: { code: 'registration_over' },
        next: { tool: 'connect', needs: ['new'] },
      });
    }
    expect(await registrations(host)).toBe(1);
  });

  it.each(['connect', 'register'])(
    'led %s to one that is for nobody, by the email address of another user',
    async (tool) => {
      const both = await startTwin();
      await revoked(both, { email: ALICE });
      await both.host.call('call', { target: '/api/resource' });
      const given = { service: BASE, type: 'anonymous', email: 'bob@example.com' };
      expect(await both.host.call(tool, given)).toMatchObject(ASKS_FIRST);
      expect(await registrations(both.host)).toBe(1);
    },
  );
});

describe('a claim that its user denied', () => {
  it('was asked for again by what the answers named next', async () => {
    const { twin, host } = await startTwin();
    await host.call('connect', { service: BASE });
    await host.call('start_claim', { email: ALICE });
    const known = await twin.agent.resumeClaim();
    if (known.status !== 'open') throw new Error(known.status);
    await twin.deny(known.ceremony);
    await host.call('await_claim');
    const next = { tool: 'start_claim', arguments: { service: BASE }, needs: ['renew'] };
    for (const [tool, given] of [
      ['await_claim', {}],
      ['start_claim', {}],
      ['connect', { email: ALICE }],
      ['call', { target: '/api/resource', method: 'POST' }],
    ] as const) {
      const { data, text } = await host.call(tool, given);
      expect(data.next, tool).toEqual(next);
      expect(text.match(/Respect that\./g), tool).toHaveLength(1);
      expect(text.match(/denied the claim/g), tool).toHaveLength(1);
      expect(text, tool).not.toContain('Ask nobody again');
    }
    const status = await host.call('get_status');
    expect(status.data.next).toMatchObject({ tool: 'start_claim', needs: ['renew'] });
    expect(status.text).toContain('denied by its user');
  });
});

describe('a claim by email that its user denied', () => {
  it('was blamed for what a token of the environment may not do', async () => {
    const { twin, host } = await startTwin();
    await twin.register({ type: 'anonymous' });
    const environmentToken = new Secret((await twin.agent.token()).value.reveal());
    const { registration } = (await host.call('start_claim', { email: ALICE })).data;
    await twin.harness.service.controls.deny(registration.registration_id);
    await host.call('await_claim');
    const other = await Host.start({ ...twin.options, environmentToken }, { service: BASE });
    onTestFinished(() => other.close());
    const { data, text } = await other.call('call', { target: '/api/resource', method: 'POST' });
    expect(data.error.code).toBe('insufficient_scope');
    expect(data.next?.tool).not.toBe('start_claim');
    expect(text).not.toContain('denied');
  });

  it('took away what an error said beside', async () => {
    const { twin, host } = await startTwin();
    const { registration } = (await host.call('connect', { service: BASE, email: ALICE })).data;
    await twin.harness.service.controls.deny(registration.registration_id);
    await host.call('await_claim');
    const hint = 'This agent has registered meanwhile.';
    const error = new ToolError('The call needs another scope.', {
      code: 'insufficient_scope',
      hint,
    });
    const world = { store: twin.options.store, hasToken: false } as McpWorld;
    const suited = await suitTool(error, world, {
      tool: 'connect',
      given: {},
      about: { service: BASE },
    });
    expect(suited.facts.hint).toMatch(/^Respect that\..* This agent has registered meanwhile\.$/);
  });

  it('is not asked for again by a call that finds out', async () => {
    const { twin, host } = await startTwin();
    await host.call('connect', { service: BASE, email: ALICE });
    const known = await twin.agent.resumeClaim();
    if (known.status !== 'open') throw new Error(known.status);
    await twin.deny(known.ceremony);
    const { data, text } = await host.call('call', { target: '/api/resource' });
    expect(data).toMatchObject({
      error: { code: 'access_denied' },
      next: { tool: 'start_claim', arguments: { service: BASE }, needs: ['renew'] },
    });
    expect(text).toContain('Respect that.');
  });
});

describe('a service without a registration', () => {
  it.each(['await_claim', 'start_claim', 'complete_claim', 'call'])(
    '%s led past connect',
    async (tool) => {
      const { host } = await startTwin();
      const given = {
        ...(tool === 'call' && { target: '/x' }),
        ...(tool === 'complete_claim' && { code: '123456' }),
      };
      const { data } = await host.call(tool, { service: BASE, ...given });
      expect(data).toMatchObject({
        error: { code: 'not_registered' },
        next: { tool: 'connect', arguments: { service: BASE }, needs: [] },
      });
    },
  );

  it.each([{}, { keep_registration: true }])('leave %o told to register first', async (given) => {
    const { host } = await startTwin();
    const { data } = await host.call('leave', { service: BASE, ...given });
    expect(data).toMatchObject({
      error: { code: 'not_registered', hint: 'There is nothing to leave.' },
      next: { tool: 'get_status' },
    });
  });
});
