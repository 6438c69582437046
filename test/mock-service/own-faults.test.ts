import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANOTHER_SERVICE } from '../../docs/examples/another-service.ts';
import { rewire, SERVICE_FAULT_NAMES, type ServiceFault } from '../../src/mock-service/index.ts';
import { MINUTE } from '../../src/protocol/index.ts';
import { BASE, ceremonyOf, Harness } from './harness.ts';

const NAMES = ['shortTokens', 'anyClient', 'fixedPrefix', 'pendingIsOk'];

async function opened(h: Harness) {
  const { body } = await h.register({ type: 'anonymous' });
  const ceremony = ceremonyOf(await h.startClaim(body['claim_token'], 'alice@example.com'));
  return { body, ceremony };
}

describe('the example of the docs', () => {
  it('stands in its page, word for word', () => {
    const docs = join(import.meta.dirname, '../../docs');
    const code = readFileSync(join(docs, 'examples/another-service.ts'), 'utf8');
    expect(readFileSync(join(docs, 'own-faults.md'), 'utf8')).toContain(`\n${code}\`\`\``);
  });

  it('answers a pending poll 200, and never slow_down', async () => {
    const h = await Harness.start({ faults: ANOTHER_SERVICE });
    const { body } = await opened(h);
    for (const _ of [1, 2, 3]) {
      const answer = await h.poll(body['claim_token']);
      expect([answer.status, answer.body]).toEqual([200, { status: 'pending' }]);
    }
    const other = await h.poll('clm_unknown');
    expect([other.status, other.body['error']]).toEqual([400, 'expired_token']);
  });

  it('issues tokens for five minutes, and user codes that begin with two zeros', async () => {
    const h = await Harness.start({ faults: ANOTHER_SERVICE });
    const { body, ceremony } = await opened(h);
    expect(ceremony.user_code).toMatch(/^00\d{4}$/);
    expect((await h.exchange(body['identity_assertion'])).body['expires_in']).toBe(5 * 60);
  });

  it('takes an ID-JAG of any client, and of no other audience', async () => {
    const h = await Harness.start({ faults: ANOTHER_SERVICE });
    const present = async (claims: Readonly<Record<string, unknown>>) => {
      const assertion = await h.provider.idJag(claims);
      return (await h.register({ type: 'identity_assertion', assertion })).body['error'];
    };
    expect(await present({ client_id: 'https://nobody.test/agent' })).toBeUndefined();
    expect(await present({ aud: 'https://elsewhere.test' })).toBe('invalid_audience');
    const right = await Harness.start();
    const assertion = await right.provider.idJag({ client_id: 'https://nobody.test/agent' });
    const refused = await right.register({ type: 'identity_assertion', assertion });
    expect(refused.body['error']).toBe('invalid_client_id');
  });
});

describe("a fault of one's own", () => {
  it('says at the start that it cannot be wired, and which check there is not', async () => {
    const broken: ServiceFault = {
      description: 'breaks while it is wired',
      parts: () => {
        throw new TypeError('There is no such part.');
      },
    };
    await expect(Harness.start({ faults: [broken] })).rejects.toThrow('There is no such part.');
    expect(() => rewire.omitting('idJagChecks', 'clinet')).toThrow(
      'idJagChecks has no check "clinet". Checks: audience, client,',
    );
  });

  it('is listed after ours, as one of this process, and switched by its name', async () => {
    const h = await Harness.start({ faults: ANOTHER_SERVICE });
    const { controls } = h.service;
    expect(await controls.state()).toMatchObject({
      faults: ['noSlowDown', ...NAMES],
      ownFaults: NAMES,
      knownFaults: [...SERVICE_FAULT_NAMES, ...NAMES],
    });
    await controls.setFaults(['fixedPrefix']);
    const { body, ceremony } = await opened(h);
    expect(ceremony.user_code).toMatch(/^00/);
    expect((await h.poll(body['claim_token'])).body['error']).toBe('authorization_pending');
    await controls.reset();
    expect((await controls.state()).faults).toEqual(['noSlowDown', ...NAMES]);
  });

  it('keeps what lived before it was switched on', async () => {
    const quiet: ServiceFault = {
      name: 'quiet',
      description: 'answers a call with nothing',
      answers: (response, { url }) =>
        url.startsWith(`${BASE}/api/`) ? new Response(null, { status: 204 }) : response,
    };
    const h = await Harness.start({ faults: [quiet] });
    await h.service.controls.setFaults([]);
    const { body } = await h.register({ type: 'anonymous' });
    const { body: granted } = await h.exchange(body['identity_assertion']);
    await h.service.controls.setFaults(['quiet']);
    expect((await h.call(granted['access_token'])).status).toBe(204);
    await h.service.controls.setFaults([]);
    h.clock.advance(MINUTE);
    expect((await h.call(granted['access_token'])).status).toBe(200);
  });

  it('is refused with a name that the mock knows already, or that nobody could type', async () => {
    const named = (name: string): ServiceFault => ({ name, description: 'errs' });
    await expect(Harness.start({ faults: [named('noSlowDown')] })).rejects.toThrow(
      'There is a fault "noSlowDown" already.',
    );
    await expect(Harness.start({ faults: [named('a b')] })).rejects.toThrow('letters and digits');
    await expect(Harness.start({ faults: ['noSlowDwon'] })).rejects.toThrow(
      'There is no fault "noSlowDwon".',
    );
  });
});
