import { describe, expect, it } from 'vitest';
import { EVENT_CHECKS } from '../../src/mock-service/security-events/event-checks.ts';
import { Harness } from './harness.ts';

describe('the order of the checks of an event (wire contract §7)', () => {
  it('has a name for each of them', () => {
    const names = EVENT_CHECKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  const claims = {
    aud: 'https://elsewhere.test',
    iat: 4_000_000_000,
    sub: 'user-1',
    sub_id: { format: 'iss_sub', iss: 'https://elsewhere.test', sub: 'user-2' },
  };

  it.each([
    [{}, 'invalid_audience', 'audience'],
    [{ aud: 'https://service.test' }, 'invalid_request', 'iat'],
    [{ aud: 'https://service.test', iat: 0, sub_id: {} }, 'invalid_request', 'iss_sub'],
    [{ aud: 'https://service.test', iat: 0 }, 'access_denied', 'issuer'],
  ])('tells the first of several mistakes: %j', async (mended, err, told) => {
    const h = await Harness.start();
    const { body } = await h.send('POST', '/agent/event/notify', {
      body: await h.provider.event({ ...claims, ...mended }),
      headers: { 'content-type': 'application/secevent+jwt' },
    });
    expect(body['err']).toBe(err);
    expect(body['description']).toContain(told);
  });
});
