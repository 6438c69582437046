import { ID_JAG_TOKEN_TYPE, MINUTE } from '../../../../protocol/index.ts';
import { judgePart, NotApplicable } from '../../../engine/judge.ts';
import { isNumber } from '../../../engine/rows.ts';
import { encodePart } from '../../../jwt/forge.ts';
import type { OpenedJwt } from '../../../jwt/open.ts';
import {
  crossAppScenario,
  judgeRefusals,
  type NegativeCase,
} from '../../cross-app/cross-app-scenario.ts';
import type { Forgery } from '../../steps/forged-id-tokens.ts';
import { forgeriesOf, macsOf, notGood } from '../../steps/forged-id-tokens.ts';
import { isMinted, refusedBy } from '../../steps/rows.ts';

const JWT_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:jwt';

const STEP_UP = 'insufficient_user_authentication';

/** Longer ago than policy takes, where it has a limit at all. */
const LONG_AGO = 125 * MINUTE;
const SKEW = 2 * MINUTE;

export const idpSubjectTokens = crossAppScenario({
  id: 'idp-subject-tokens',
  title: 'A client presents a token that is no ID token of its own',
  checks: {
    'other-client': 'The ID token of another client is refused.',
    forged: 'An ID token that the provider did not sign as it is, is refused.',
    unsigned: 'An ID token with the alg none is refused.',
    mac: 'An ID token with a MAC by a published key is refused.',
    'access-token': 'An access token of the provider is refused as an ID token.',
    'id-jag': 'An ID-JAG of the provider is refused as a subject token.',
    code: 'A subject token that is not good is answered invalid_grant or invalid_request.',
  },
  // Whoever verifies nothing takes them all.
  resting: { 'idp-subject-tokens.forged': ['other-client', 'unsigned', 'mac', 'id-jag'] },
  blockedBy: ['idp-exchange.minted'],
  dangerous: true,
  async run(judge, app) {
    const { world } = app;
    const session = await app.session();
    const idJag = await app.idJag(session);
    const jwt = app.open(session.idToken);
    const by = (token: string, type?: string) => () =>
      app.exchange(session, {
        subject_token: token,
        ...(type !== undefined && { subject_token_type: type }),
      });
    const access = session.answer?.string('access_token');
    type Case = NegativeCase<'forged' | 'unsigned' | 'mac' | 'id-jag' | 'access-token'>;
    const of = (check: Case[0], tokens: readonly Forgery[]) =>
      tokens.map(([what, token]): Case => [check, what, by(token)]);
    const cases: readonly Case[] = [
      ...of('forged', forgeriesOf(jwt, session.idToken, world.elsewhere)),
      ...of('unsigned', unsignedOf(jwt)),
      ...of('mac', macsOf(jwt, await world.keySet())),
      ...of('access-token', access === undefined ? [] : [['as an ID token', access]]),
      ...[undefined, JWT_TOKEN_TYPE, ID_JAG_TOKEN_TYPE].map(
        (type): Case => ['id-jag', type ?? 'as an ID token', by(idJag, type)],
      ),
    ];
    judge.skip('access-token', 'The ID token came without an access token.');
    await judgeRefusals(judge, app, cases, (answer, what) => {
      judge.table(answer, { code: notGood }, { case: what });
    });
    await judgePart(judge, 'other-client', async () => {
      const other = await app.session(app.other(), session.email);
      await judgeRefusals(judge, app, [['other-client', other.client.id, by(other.idToken)]]);
    });
  },
});

export const idpSignInAge = crossAppScenario({
  id: 'idp-sign-in-age',
  title: 'The sign-in of a user gets old',
  checks: {
    'step-up':
      'A sign-in that is too old is answered insufficient_user_authentication, with max_age or acr_values.',
    'stepped-up': 'After the fresh sign-in that was asked for, the exchange succeeds.',
    expired: 'An ID token that has expired is refused.',
  },
  blockedBy: ['idp-exchange.minted'],
  waits: true,
  async run(judge, app) {
    const { time, breaking } = app.world;
    const session = await app.session();
    await app.idJag(session);
    const { exp } = app.open(session.idToken).claims;
    const end = isNumber(exp) ? exp * 1000 : Number.POSITIVE_INFINITY;
    await judgePart(judge, ['step-up', 'stepped-up'], async () => {
      // An ID token that is over is refused for that.
      await time.pass(Math.min(LONG_AGO, end - time.now() - MINUTE));
      const answer = await app.exchange(session);
      if (isMinted(answer)) throw new NotApplicable('The provider takes a sign-in of that age.');
      const [maxAge, acrValues] = ['max_age', 'acr_values'].map((name) => answer.member(name));
      const isSaid = answer.errorCode === STEP_UP;
      const isTold = isNumber(maxAge) || acrValues !== undefined;
      judge.expect('step-up', isSaid && isTold, answer);
      const fresh = await app.signIn({
        email: session.email,
        parameters: {
          max_age: '0',
          ...(typeof acrValues === 'string' && { acr_values: acrValues }),
        },
      });
      const again = await app.exchange(fresh);
      judge.expect('stepped-up', isMinted(again), again);
    });
    await judgePart(judge, 'expired', async () => {
      // Policy may look at the age of a sign-in first, and not for each client.
      const last = app.given.other === undefined ? session : await app.session(app.other());
      const { exp: over } = app.open(last.idToken).claims;
      if (!isNumber(over)) throw new NotApplicable('The ID token has no exp.');
      if (last !== session) await app.idJag(last);
      await time.pass(Math.max(0, over * 1000 - time.now()) + SKEW);
      const answer = await app.exchange(last);
      if (answer.errorCode === STEP_UP) {
        throw new NotApplicable('The provider refuses the age of the sign-in first.');
      }
      judge.table(answer, { expired: refusedBy(breaking) });
    });
  },
});

function unsignedOf({ claims, header }: OpenedJwt): readonly Forgery[] {
  return ['none', 'None'].map((alg) => [
    `alg ${alg}`,
    `${encodePart({ ...header, alg })}.${encodePart(claims)}.`,
  ]);
}
