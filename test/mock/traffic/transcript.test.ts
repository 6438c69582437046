import { describe, expect, it } from 'vitest';
import { type Exchange, transcript } from '../../../src/traffic/index.ts';
import { bothMocks, runAllFlows } from './all-flows.ts';

const written = (exchanges: readonly Exchange[]) => JSON.stringify(transcript(exchanges), null, 2);

describe('a golden transcript', () => {
  it('is the same, byte for byte, of two runs that have nothing drawn in common', async () => {
    const one = await runAllFlows();
    const other = await runAllFlows({
      seed: 77,
      port: 9300,
      start: Date.UTC(2031, 4, 5, 6, 7, 8, 9),
    });
    const first = written(one.log.read().exchanges);
    expect(written(other.log.read().exchanges)).toBe(first);
    // What differs between the runs is nowhere in it.
    expect(first).not.toMatch(/secret~|127\.0\.0\.1|20(?:26|31)-|\breg_/);
  });

  it('differs where the procedure differs', async () => {
    const run = async (email: string) => {
      const { fetch, log, service } = await bothMocks();
      await fetch(`${service.issuer}/agent/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'service_auth', login_hint: email }),
      });
      return written(log.read().exchanges);
    };
    expect(await run('alice@example.com')).not.toBe(await run('bob@example.com'));
  });

  it('gives a value one name wherever it comes, and another value another', async () => {
    const { log } = await runAllFlows();
    const { exchanges } = transcript(log.read().exchanges);
    const registrations = exchanges.filter(
      ({ request }) => request.method === 'POST' && request.url === '{service}/agent/identity',
    );
    const [first, second] = registrations.map(({ response }) => response.body);
    expect(first).toMatchObject({
      registration_id: '{registration_id_1}',
      claim_token: '{claim_token_1}',
      claim_token_expires: '{time}',
      identity_assertion: {
        jwt: '{identity_assertion_1}',
        header: { kid: '{kid_1}' },
        claims: { iss: '{service}', sub: '{registration_id_1}', iat: '{time}' },
      },
    });
    expect(second).toMatchObject({ claim_token: '{claim_token_2}' });
    const bodies = exchanges.map(({ request }) => request.body);
    expect(bodies).toContainEqual(expect.objectContaining({ claim_token: '{claim_token_1}' }));
    const minted = exchanges.find(({ to, response }) => {
      return to === 'provider' && JSON.stringify(response.body).includes('"issued_token_type"');
    });
    expect(JSON.stringify(minted?.response.body)).toContain('"aud":"{service}"');
  });
});
