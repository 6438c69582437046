import { MINUTE } from '../../../../protocol/index.ts';
import { CannotTest, judgePart, NeedsOption, shown } from '../../../engine/judge.ts';
import { is, isNumber, isText, member, noStore } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import {
  crossAppScenario,
  judgeRefusals,
  UNAUTHENTICATED,
} from '../../cross-app/cross-app-scenario.ts';
import type { AuthorizationChange } from '../../cross-app/cross-app-world.ts';
import { codeAt } from '../../cross-app/cross-app-world.ts';
import type { FormValues } from '../../provider-client.ts';
import { ASYMMETRIC, validNow } from '../../steps/id-jag-claims.ts';
import { isMinted, ofRefusal, refusedBy, signedBy } from '../../steps/rows.ts';

/** RFC 6749 §4.1.2 lets a code live for ten minutes at most. */
const OVER = 11 * MINUTE;

export const idpCode = crossAppScenario({
  id: 'idp-code',
  title: 'A client redeems the code of its user',
  checks: {
    redeemed: 'A code is redeemed for an ID token and an access token, uncached.',
    'id-token':
      'The ID token has the iss of the provider, the client as aud, sub, exp, iat, and the nonce that was sent, and is valid now.',
    signed: 'The ID token is signed by a published key, which its kid names.',
    verifier: 'A code is refused with a wrong code_verifier, without one, or with one too many.',
    'redirect-uri': 'A code is refused with another redirect_uri than it was asked for with.',
    authenticated: 'A code is refused without the credentials of its client.',
    'other-client': 'A code is refused to another client.',
    once: 'A code is redeemed once.',
    ended: 'The tokens of a code end when it is redeemed again.',
    'refusal-code': 'A code that is not good is answered invalid_grant.',
    expired: 'A code is refused after ten minutes.',
  },
  blockedBy: ['idp-authorization.code'],
  async run(judge, app) {
    const { client, world } = app;
    const [browser, email] = [app.browser(), world.email()];
    const signedIn = await app.authorize({ browser, email });
    const answer = await app.redeem(signedIn);
    const isGiven = isText(answer.member('id_token')) && isText(answer.member('access_token'));
    judge.table(answer, { redeemed: [{ ok: answer.status === 200 && isGiven }, noStore] });
    if (!isGiven) throw new CannotTest('The client is given no ID token.');
    const jwt = app.open(answer.string('id_token') ?? '');
    const { alg } = jwt.header;
    const { aud, azp, exp, iat, sub } = jwt.claims;
    const audiences = [aud].flat();
    const isOurs = audiences.includes(client.id) && (audiences.length === 1 || azp === client.id);
    const isWhole = isOurs && isText(sub) && isNumber(exp) && isNumber(iat);
    judge.table(jwt.claims, {
      'id-token': [
        { ok: isWhole, seen: shown({ aud, azp, sub, exp, iat }) },
        member('iss', is(world.facts.issuer)),
        member('nonce', is(signedIn.nonce), { expected: `nonce: ${signedIn.nonce}` }),
        ...validNow(world.time.now()),
      ],
      signed: [
        { ok: ASYMMETRIC.test(String(alg)), seen: `alg ${String(alg)}` },
        signedBy(jwt, await world.keySet()),
      ],
    });

    /** A fresh code, and the form that redeems it, with a change. */
    const formOf = async (form: FormValues, change: AuthorizationChange = {}) => ({
      ...app.redeemForm(await app.authorize({ browser, email, ...change })),
      ...form,
    });
    const redeem = async (form: FormValues, change?: AuthorizationChange) =>
      client.redeem(await formOf(form, change));
    const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
    const another = world.invented.token().repeat(3).slice(0, 60);
    await judgeRefusals(
      judge,
      app,
      [
        ['verifier', 'a wrong code_verifier', () => redeem({ code_verifier: another })],
        ['verifier', 'no code_verifier', () => redeem({ code_verifier: undefined })],
        [
          'redirect-uri',
          'another redirect_uri',
          () => redeem({ redirect_uri: otherPort(app.given.redirectUri) }),
        ],
      ],
      (refused) => judge.table(refused, { 'refusal-code': ofRefusal(isInvalidGrant) }),
    );
    // Whoever asks every client for a challenge gives no code there.
    const bare = await app.authorize({ browser, email, parameters: unchallenged });
    if (codeAt(bare.end) !== null) {
      const form = { ...app.redeemForm(bare), code_verifier: another };
      const what = 'a code_verifier, and no challenge before';
      await judgeRefusals(judge, app, [['verifier', what, () => client.redeem(form)]]);
    }
    await judgeRefusals(
      judge,
      app,
      UNAUTHENTICATED.map(([what, shows]) => [
        'authenticated',
        what,
        async () => client.redeem(await formOf({}), { shows }),
      ]),
    );
    await judgePart(judge, 'other-client', async () => {
      const other = app.other();
      const send = async () => other.redeem(await formOf({}));
      await judgeRefusals(judge, app, [['other-client', other.id, send]]);
    });
    await judgePart(judge, ['once', 'ended'], async () => {
      const form = await formOf({});
      const first = await client.redeem(form);
      const before = await app.opensUserInfo(first);
      const second = await client.redeem(form);
      judge.table(second, { once: refusedBy(world.breaking) });
      if (!before) judge.skip('ended', 'No user info shows whether its access token is good.');
      else
        judge.expect('ended', !(await app.opensUserInfo(first)), 'its access token is still good');
    });
    await judgePart(judge, 'expired', async () => {
      const form = await formOf({});
      await world.time.pass(OVER);
      judge.table(await client.redeem(form), { expired: refusedBy(world.breaking) });
    });
  },
});

function isInvalidGrant(answer: Answer) {
  return { ok: answer.errorCode === 'invalid_grant' };
}

/** A URI that is as good as registered for who compares no ports of loopback addresses (RFC 8252 §7.3). */
function otherPort(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (!/^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname)) return `${redirectUri}/other`;
  url.port = String((Number(url.port) || 80) + 1);
  return url.href;
}

const AT_ONCE = 20;

/** Between publishing a key and signing with it. Milliseconds. */
const LEAD = 300_000;

export const idpCodeRace = crossAppScenario({
  id: 'idp-code-race',
  title: 'A client redeems its code many times at once',
  checks: { parallel: 'Of twenty redemptions of a code at once, one succeeds.' },
  blockedBy: ['idp-code.redeemed'],
  costly: true,
  dangerous: true,
  async run(judge, app) {
    const form = app.redeemForm(await app.authorize());
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => app.client.redeem(form)),
    );
    const given = answers.filter(isMinted);
    judge.expect('parallel', given.length <= 1, `${given.length} of ${AT_ONCE} succeed`, {
      exchange: given.at(-1)?.exchange,
    });
  },
});

export const idpKeyRotation = crossAppScenario({
  id: 'idp-key-rotation',
  title: 'The identity provider rotates its signing key',
  checks: {
    'published-first': 'An ID-JAG is always signed by a key that is published by then.',
    'old-id-token': 'An ID token by the old key is still exchanged while it is valid.',
  },
  resting: { 'idp-key-rotation.old-id-token': ['published-first'] },
  blockedBy: ['idp-exchange.minted'],
  costly: true,
  dangerous: true,
  async run(judge, app) {
    const { control, time } = app.world;
    if (control === undefined) {
      throw new NeedsOption(
        'Only a control API can rotate the keys of the provider: name it with --control.',
        '--control',
      );
    }
    const session = await app.session();
    await app.idJag(session);
    await control.rotate(LEAD);
    for (const when of ['before', 'after']) {
      if (when === 'after') await time.pass(LEAD + 1000);
      const keys = await app.world.keySet();
      const old = await app.exchange(session);
      judge.expect('old-id-token', isMinted(old), old, { case: `${when} the new key signs` });
      await judgePart(judge, 'published-first', async () => {
        const answer = await app.exchange(await app.session());
        judge.table(
          app.open(app.mustMint(answer)),
          { 'published-first': (jwt) => signedBy(jwt, keys) },
          { case: `${when} it signs`, exchange: answer.exchange },
        );
      });
    }
  },
});
