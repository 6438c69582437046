import { describe, expect, it } from 'vitest';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  later,
  refusal,
  serverMetadata,
} from '../support/bench.ts';
import { json, members, type Reply } from '../support/fake-web.ts';

const alice = { email: 'alice@example.com' };
const HINT = { login_hint: 'alice@example.com' };
const TYPED = { type: 'login_hint', ...HINT };

/** A service that takes these members beside the claim token, no more and no fewer. */
function strict(wanted: object, words: string): Reply {
  return (request) => {
    const { claim_token: token, ...rest } = members(request);
    const isRight = token !== undefined && JSON.stringify(rest) === JSON.stringify(wanted);
    return isRight
      ? json(ANSWER.attempt())
      : refusal('invalid_request', 400, { error_description: words });
  };
}

function sent({ web }: Bench) {
  return web.sent(ENDPOINT.claim).map((request) => {
    const { claim_token: _, ...rest } = members(request);
    return rest;
  });
}

describe('the start of a claim at another version or deployment', () => {
  it.each([
    ['version 0.7, which names the member that it misses', TYPED, 'type: Invalid input', {}],
    ['version 0.7, without a word', TYPED, '', {}],
    ['one that takes login_hint alone, by its words', HINT, 'login_hint is required', {}],
    [
      'one that takes login_hint alone, by its grant',
      HINT,
      'Bad body.',
      {
        grant_types_supported: ['urn:agent-artifacts:params:oauth:grant-type:claim_token'],
      },
    ],
  ])('is mended once for %s', async (_what, wanted, words, metadata) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(metadata)));
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, strict(wanted, words));
    expect(await bench.agent.startClaim(alice)).toMatchObject({ status: 'open' });
    expect(sent(bench)).toEqual([{ email: 'alice@example.com' }, wanted]);
  });

  it('names nobody to a service that knows its user, after that was refused', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    const remint = {
      registration_id: 'reg_2',
      claim_attempt_id: 'cat_x',
      status: 'initiated',
      expires_at: later(24 * 60),
      claim_attempt: {
        user_code: '281905',
        expires_in: 600,
        verification_uri: 'https://service.example/login',
        interval: 5,
      },
    };
    bench.web.on(ENDPOINT.claim, (request) =>
      'email' in members(request)
        ? refusal('invalid_request', 400, { error_description: 'Unrecognized key: email' })
        : json(remint),
    );
    expect(await bench.agent.startClaim({ renew: true })).toMatchObject({ status: 'open' });
    expect(sent(bench)).toEqual([{ email: 'alice@example.com' }, {}]);
    expect((await bench.stored()).claim).toMatchObject({
      email: 'alice@example.com',
      form: 'bare',
    });
  });

  it('takes the words of the service before what is on record', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.claim, strict(TYPED, 'type: Invalid input'));
    expect(await bench.agent.startClaim({ renew: true })).toMatchObject({ status: 'open' });
    expect(sent(bench)[1]).toEqual(TYPED);
  });

  it('begins with the body that worked, in another process too', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, strict(TYPED, 'type: Invalid input'));
    await bench.agent.startClaim(alice);
    await bench.another().startClaim({ renew: true });
    expect(sent(bench).slice(2)).toEqual([TYPED]);
    expect((await bench.stored()).claim?.form).toBe('typed');
  });

  it('goes back to the first body where the one that worked does not any more', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, strict(TYPED, 'type: Invalid input'));
    await bench.agent.startClaim(alice);
    bench.web.on(ENDPOINT.claim, strict({ email: 'bob@example.com' }, 'Bad body.'));
    await bench.agent.startClaim({ email: 'bob@example.com' });
    expect(sent(bench).at(-1)).toEqual({ email: 'bob@example.com' });
    expect((await bench.stored()).claim?.form).toBe('email');
  });

  it('is tried twice at most', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, refusal('invalid_request'));
    expect(await failure(bench.agent.startClaim(alice))).toMatchObject({ code: 'invalid_request' });
    expect(sent(bench)).toHaveLength(2);
    expect((await bench.stored()).claim?.form).toBeUndefined();
  });

  it.each([
    ['invalid_login_hint', 400],
    ['email_mismatch', 403],
    ['invalid_claim_token', 401],
    ['rate_limit_exceeded', 429],
    ['claimed_or_in_flight', 409],
  ])('is not tried again after %s, which is no question of the body', async (code, status) => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web
      .on(ENDPOINT.claim, refusal(code, status))
      .on(ENDPOINT.token, refusal('authorization_pending'));
    await failure(bench.agent.startClaim(alice));
    expect(sent(bench)).toEqual([{ email: 'alice@example.com' }]);
  });

  it('is sent once where the first body is right', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    await bench.agent.startClaim(alice);
    expect(bench.web.sent(ENDPOINT.claim).map(({ body }) => body)).toEqual([
      '{"claim_token":"clm_1","email":"alice@example.com"}',
    ]);
  });
});
