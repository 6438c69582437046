import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import { typeThere } from '../support/type-there.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  jwt,
  later,
  lost,
  refusal,
  SERVICE,
} from './support/bench.ts';
import { json, members, type Reply } from './support/fake-web.ts';

const PROVIDER = 'https://provider.example';
const START = Date.UTC(2026, 0, 1) / 1000;
const MINT = `POST ${PROVIDER}/oauth2/token`;

let serial = 0;
function minted(claims: object = {}): object {
  serial += 1;
  const email = 'alice@example.com';
  return {
    access_token: jwt({
      iss: PROVIDER,
      aud: SERVICE,
      jti: `jti-${serial}`,
      exp: START + 300,
      email,
      ...claims,
    }),
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    token_type: 'N_A',
    expires_in: 300,
  };
}

/** A registration without a user, and a provider where the user is signed in. */
async function signedIn(claims: object = {}): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  await bench.store.update((current) => [
    {
      ...current,
      providers: [
        {
          issuer: PROVIDER,
          idToken: new Secret('id-token'),
          expiresAt: null,
          clockOffset: 0,
          account: null,
        },
      ],
    },
    undefined,
  ]);
  bench.web
    .on(
      `GET ${PROVIDER}/.well-known/oauth-authorization-server`,
      json({ issuer: PROVIDER, token_endpoint: `${PROVIDER}/oauth2/token` }),
    )
    .on(MINT, () => json(minted(claims)));
  return bench;
}

const claimed = (over: object = {}) => ({
  registration_id: 'reg_1',
  status: 'claimed',
  identity_assertion: 'assertion-v2',
  assertion_expires: later(60),
  ...over,
});
const sent = ({ web }: Bench) => web.sent(ENDPOINT.claim).map(members);
const byProvider = { provider: PROVIDER };

describe('a claim by ID-JAG', () => {
  it('mints for the service, and is complete without a code', async () => {
    const bench = await signedIn();
    bench.web
      .on(ENDPOINT.claim, json(claimed()))
      .on(
        ENDPOINT.token,
        json(ANSWER.token({ access_token: 'at_2', scope: 'api.read api.write' })),
      );
    const outcome = await bench.agent.startClaim(byProvider);
    expect(outcome).toMatchObject({
      status: 'claimed',
      registration: { claimed: true, claim: null, email: 'alice@example.com' },
    });
    const [body] = sent(bench);
    expect(body).toMatchObject({ type: 'identity_assertion', claim_token: 'clm_1' });
    expect(Object.keys(body ?? {}).sort()).toEqual(['assertion', 'claim_token', 'type']);
    expect(members(bench.web.sent(MINT)[0])).toMatchObject({
      audience: SERVICE,
      resource: SERVICE,
    });
    const exchanged = members(bench.web.sent(ENDPOINT.token).at(-1));
    expect(exchanged).toMatchObject({ assertion: 'assertion-v2', resource: SERVICE });
    expect((await bench.stored()).token?.value.reveal()).toBe('at_2');
  });

  it('takes a token that comes at once', async () => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, json(claimed({ access_token: 'at_9', token_type: 'Bearer' })));
    const exchanges = bench.web.sent(ENDPOINT.token).length;
    expect(await bench.agent.startClaim(byProvider)).toMatchObject({ status: 'claimed' });
    expect((await bench.agent.token()).value.reveal()).toBe('at_9');
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(exchanges);
  });

  it('may give nothing new: the assertion of before is exchanged', async () => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, json({ registration_id: 'reg_1', status: 'claimed' }));
    expect(await bench.agent.startClaim(byProvider)).toMatchObject({ status: 'claimed' });
    expect(members(bench.web.sent(ENDPOINT.token).at(-1))['assertion']).toBe('assertion-1');
  });

  it('may need the user all the same: then a code is shown', async () => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    const outcome = await bench.agent.startClaim(byProvider);
    if (outcome.status !== 'open') throw new Error(outcome.status);
    expect(typeThere(outcome.ceremony).userCode.reveal()).toBe('012345');
    expect((await bench.stored()).claim).toMatchObject({ email: 'alice@example.com' });
  });

  it.each<[string, () => Reply]>([
    ['a lost answer', () => lost()],
    ['replay_detected', () => refusal('replay_detected')],
    ['credential_expired', () => refusal('credential_expired')],
  ])('is minted for again after %s, and sends no ID-JAG twice', async (_what, trouble) => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, trouble(), json(claimed()));
    expect((await bench.agent.startClaim(byProvider)).status).toBe('claimed');
    expect(new Set(sent(bench).map(({ assertion }) => assertion)).size).toBe(2);
  });

  it('collects what a lost answer had completed', async () => {
    const bench = await signedIn();
    bench.web
      .on(ENDPOINT.claim, lost(), refusal('already_claimed', 409))
      .on(ENDPOINT.token, json(ANSWER.claimed()));
    expect((await bench.agent.startClaim(byProvider)).status).toBe('claimed');
    expect((await bench.stored()).token?.value.reveal()).toBe('at_claimed');
  });

  it('gives up after three', async () => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, refusal('replay_detected'));
    expect(await failure(bench.agent.startClaim(byProvider))).toMatchObject({
      code: 'replay_detected',
      message: expect.stringContaining('The assertion was used before.'),
    });
    expect(sent(bench)).toHaveLength(3);
  });

  it('of a version that takes none ends with the other way, after one request', async () => {
    const bench = await signedIn();
    bench.web.on(ENDPOINT.claim, refusal('invalid_request'));
    expect(await failure(bench.agent.startClaim(byProvider))).toMatchObject({
      code: 'invalid_request',
      hint: expect.stringContaining('no ID-JAG'),
      next: { command: 'claim', args: ['--email', 'EMAIL'] },
    });
    expect(sent(bench)).toHaveLength(1);
    expect((await bench.stored()).claim).not.toBeNull();
  });

  it.each([['the service wants a fresh sign-in', refusal('login_required', 401), ['--fresh']]])(
    'says so where %s',
    async (_what, reply, flags) => {
      const bench = await signedIn();
      bench.web.on(ENDPOINT.claim, reply);
      expect(await failure(bench.agent.startClaim(byProvider))).toMatchObject({
        code: 'login_needed',
        next: { command: 'provider login', args: [PROVIDER, ...flags] },
      });
    },
  );

  it('says so where nobody is signed in, or has not agreed, and sends nothing to the service', async () => {
    const bench = await signedIn();
    bench.web.on(MINT, refusal('consent_required', 400, { consent_uri: `${PROVIDER}/consent` }));
    expect((await failure(bench.agent.startClaim(byProvider))).code).toBe('consent_needed');
    await bench.store.update((current) => [{ ...current, providers: [] }, undefined]);
    expect(await failure(bench.agent.startClaim(byProvider))).toMatchObject({
      code: 'login_needed',
      next: { command: 'provider login', args: [PROVIDER] },
    });
    expect(sent(bench)).toEqual([]);
  });

  it('is not shown for another user than the registration is for', async () => {
    const bench = await signedIn({ email: 'mallory@example.com' });
    await bench.serviceAuth();
    expect((await failure(bench.agent.startClaim(byProvider))).code).toBe('email_fixed');
    expect(sent(bench)).toEqual([]);
  });
});
