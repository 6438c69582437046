import { describe, expect, it } from 'vitest';
import { Harness, SERVICE } from '../harness.ts';
import { EVENT, json, metadata, Receiver } from './support.ts';

/** Revokes, and says what became of telling the service. */
async function told(receiver: Pick<Receiver, 'fetch'>, audience = SERVICE) {
  const harness = await Harness.start({ fetch: receiver.fetch });
  const idToken = await harness.signIn();
  await harness.mintWithConsent(idToken, { audience });
  return (await harness.revoke(idToken, { audience })).body;
}

describe('the metadata of a service to tell', () => {
  it('is not looked for further where another issuer lies first', async () => {
    const tenant = `${SERVICE}/tenant`;
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      const isFirst = url === `${SERVICE}/.well-known/oauth-authorization-server/tenant`;
      return json(metadata({ issuer: isFirst ? SERVICE : tenant }));
    };
    expect(await told({ fetch }, tenant)).toMatchObject({
      event: 'parked',
      event_problem: { code: 'issuer_mismatch' },
    });
    expect(asked).toHaveLength(1);
  });

  it('lists no event of a name that is too long to be one', async () => {
    const receiver = new Receiver();
    const long = `https://${'a'.repeat(512)}.example/auth/identity/assertion/revoked`;
    receiver.onMetadata = () => json(metadata({}, { events_supported: [long] }));
    expect(await told(receiver)).toMatchObject({ event_problem: { code: 'event_not_supported' } });
    receiver.onMetadata = () => json(metadata({}, { events_supported: [long, EVENT] }));
    expect(await told(receiver)).toMatchObject({ event: 'delivered' });
  });
});

describe('an event', () => {
  it('asks not to be redirected, and so does the look for where to send it', async () => {
    const receiver = new Receiver();
    expect(await told(receiver)).toMatchObject({ event: 'delivered' });
    expect(receiver.requests.map(({ init }) => init.redirect)).toEqual(['manual', 'manual']);
  });

  it('is not delivered by a fetch that followed a redirect', async () => {
    const receiver = new Receiver();
    receiver.onEvent = () =>
      Object.defineProperty(new Response(null, { status: 202 }), 'redirected', { value: true });
    expect(await told(receiver)).toMatchObject({
      event: 'parked',
      event_problem: { code: 'redirected' },
    });
  });

  it.each([
    ['64 letters', 'a'.repeat(64), 'a'.repeat(64)],
    ['65 letters', 'a'.repeat(65), 'http_400'],
    ['words', 'not a code', 'http_400'],
  ])('that is refused with a code of %s is told by what fits', async (_what, err, code) => {
    const receiver = new Receiver();
    receiver.onEvent = () => json({ err }, 400);
    expect(await told(receiver)).toMatchObject({ event_problem: { code } });
  });
});
