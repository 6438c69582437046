import { describe, expect, it } from 'vitest';
import { Bench, failure, jwt, refusal, SERVICE } from './support/bench.ts';
import { html, json, members, type Reply } from './support/fake-web.ts';

const PROVIDER = 'https://provider.example';
const DEVICE = `POST ${PROVIDER}/oauth2/device_authorization`;
const TOKEN = `POST ${PROVIDER}/oauth2/token`;
const END = Date.UTC(2026, 0, 1) / 1000 + 3600;

/** A provider that is found, and whose token endpoint answers this. */
function bench(...tokens: [Reply, ...Reply[]]): Bench {
  const made = new Bench();
  made.web
    .on(
      `GET ${PROVIDER}/.well-known/oauth-authorization-server`,
      json({
        issuer: PROVIDER,
        token_endpoint: `${PROVIDER}/oauth2/token`,
        device_authorization_endpoint: `${PROVIDER}/oauth2/device_authorization`,
      }),
    )
    .on(
      DEVICE,
      json({
        device_code: 'device-1',
        user_code: 'BCDF-GHJK',
        verification_uri: `${PROVIDER}/device`,
        expires_in: 900,
      }),
    )
    .on(TOKEN, ...tokens);
  return made;
}

async function signedIn(...tokens: [Reply, ...Reply[]]): Promise<Bench> {
  const idToken = jwt({ iss: PROVIDER, aud: 'agent-auth', sub: 'user-1', exp: END });
  const made = bench(json({ access_token: 'x', token_type: 'Bearer', id_token: idToken }));
  await (await made.agent.providerLogin({ provider: PROVIDER })).wait();
  made.web.on(TOKEN, ...tokens);
  return made;
}

describe('a sign-in that is to be recent', () => {
  it.each([
    [3600, '3600'],
    [59.9, '59'],
    [1e12, '999999999'],
  ])('asks for %d seconds as the whole number %s', async (maxAge, sent) => {
    const made = bench(refusal('authorization_pending'));
    await made.agent.providerLogin({ provider: PROVIDER, maxAge });
    expect(members(made.web.sent(DEVICE)[0])['max_age']).toBe(sent);
  });
});

describe('a sign-in that cannot be stored', () => {
  it('is not begun: the user would do it for nothing', async () => {
    const made = bench(refusal('authorization_pending'));
    const probeWritable = async () => {
      throw new Error('the disk is full');
    };
    Object.assign(made.store, { probeWritable });
    const begun = made.agent.providerLogin({ provider: PROVIDER });
    await expect(begun).rejects.toThrow('the disk is full');
    expect(made.web.sent(DEVICE)).toEqual([]);
  });
});

describe('waiting for a consent', () => {
  const needed = () => refusal('consent_required', 400, { consent_uri: `${PROVIDER}/consent?a=1` });

  it.each([
    [4999, 1],
    [5000, 2],
    [9999, 2],
    [10_000, 3],
  ])('for %i ms asks %i times in all', async (timeout, times) => {
    const made = await signedIn(needed());
    const before = made.web.sent(TOKEN).length;
    const outcome = await made.agent.providerMint({
      audience: SERVICE,
      timeout,
      onConsentRequired: () => {},
    });
    expect(outcome.status).toBe('consent_required');
    expect(made.web.sent(TOKEN).length - before).toBe(times);
  });
});

describe('registering through a provider', () => {
  it('sends one ID-JAG alone to a service whose answer makes no sense', async () => {
    const made = await signedIn(
      json({
        access_token: jwt({ iss: PROVIDER, aud: SERVICE, jti: 'jti-1', exp: END }),
        issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        token_type: 'N_A',
        expires_in: 300,
      }),
    );
    made.web.on(`POST ${SERVICE}/agent/identity`, html());
    const registering = made.agent.register({
      service: SERVICE,
      type: 'identity_assertion',
      provider: PROVIDER,
    });
    expect((await failure(registering)).code).toBe('bad_answer');
    expect(made.web.sent(`POST ${SERVICE}/agent/identity`)).toHaveLength(1);
  });
});
