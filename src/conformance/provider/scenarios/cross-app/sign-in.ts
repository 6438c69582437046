import { REFRESH_TOKEN_TYPE } from '../../../../protocol/index.ts';
import { judgePart, NotApplicable, shown } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { crossAppScenario, judgeRefusals } from '../../cross-app/cross-app-scenario.ts';
import { isMinted, refusedBy } from '../../steps/rows.ts';

/** How long to wait so that two sign-ins have another second. Milliseconds. */
const LATER = 3000;

/** OpenID Connect Core §11. */
const OFFLINE = { scope: 'openid email offline_access', prompt: 'consent' };

const OVERLAP = 'A short overlap is allowed to a client with credentials (RFC 9700 §4.14.2).';

export const idpFreshSignIn = crossAppScenario({
  id: 'idp-fresh-sign-in',
  title: 'A client asks for a fresh sign-in',
  checks: {
    'max-age': 'With max_age=0 the user signs in again, and the auth_time is that of this sign-in.',
    'prompt-login': 'With prompt=login the user signs in again.',
  },
  blockedBy: ['idp-authorization.code', 'idp-code.redeemed'],
  async run(judge, app) {
    const [browser, email] = [app.browser(), app.world.email()];
    const signInWith = async (parameters: Readonly<Record<string, string>>) => {
      const asked = await app.authorize({ browser, email, parameters });
      const answer = await app.redeem(asked);
      const { auth_time: at } = app.open(answer.string('id_token') ?? '').claims;
      const wasAsked = asked.end.kind === 'arrived' && asked.end.wasAsked;
      return { answer, at: typeof at === 'number' ? at : undefined, wasAsked };
    };
    const first = await signInWith({ max_age: '3600' });
    await app.world.time.pass(LATER);
    const again = await signInWith({ max_age: '0' });
    const isLater = again.at !== undefined && again.at > (first.at ?? 0);
    judge.expect(
      'max-age',
      isLater,
      `auth_time ${shown(again.at)} after ${shown(first.at)}`,
      again.answer,
    );
    await app.world.time.pass(LATER);
    const login = await signInWith({ prompt: 'login' });
    const isFresh = login.wasAsked || (login.at ?? 0) > (again.at ?? first.at ?? 0);
    judge.expect(
      'prompt-login',
      isFresh,
      'a code at once, for the sign-in that there was',
      login.answer,
    );
  },
});

export const idpRefresh = crossAppScenario({
  id: 'idp-refresh',
  title: 'A client keeps a refresh token',
  checks: {
    unasked: 'Without offline_access there is no refresh token.',
    'other-client': 'A refresh token is refused to another client.',
    spent: 'A refresh token that was exchanged for the next one is refused.',
    subject: 'The ID-JAG for a refresh token names whom the one for an ID token names.',
    'foreign-subject': 'A refresh token of another client is no subject token.',
    'unknown-subject': 'A refresh token that nobody was given is no subject token.',
  },
  blockedBy: ['idp-authorization.code', 'idp-code.redeemed'],
  async run(judge, app) {
    const { client, world } = app;
    const [browser, email] = [app.browser(), world.email()];
    const redeem = async (parameters: Readonly<Record<string, string>>, by = client) =>
      app.redeem(await app.authorize({ browser, email, parameters, client: by }));
    const usual = await redeem({});
    judge.expect('unasked', usual.string('refresh_token') === undefined, 'a refresh_token', usual);
    /** A token for each case: whoever sees it in the wrong hands may end it. */
    const refreshToken = async (by = client) => refreshTokenOf(await redeem(OFFLINE, by));
    const first = await refreshToken();
    await judgePart(judge, 'other-client', async () => {
      const other = app.other();
      const token = await refreshToken();
      await judgeRefusals(judge, app, [['other-client', other.id, () => other.refresh(token)]]);
    });
    await judgePart(judge, ['subject', 'foreign-subject', 'unknown-subject'], async () => {
      const asSubject = (token: string) =>
        app.exchange({ client, idToken: token }, { subject_token_type: REFRESH_TOKEN_TYPE });
      const token = await refreshToken();
      const minted = await asSubject(token);
      if (!isMinted(minted)) {
        throw new NotApplicable(
          `As a subject token a refresh token is answered ${minted.describe()}: the provider takes ID tokens.`,
        );
      }
      const byIdToken = await app.idJag({ ...(await app.session(client, email)), client });
      const [named, expected] = [app.mustMint(minted), byIdToken].map((each) => {
        const { aud, client_id, sub } = app.open(each).claims;
        return shown({ sub, aud, client_id });
      });
      judge.expect('subject', named === expected, `${named}, not ${expected}`, minted);
      const unknown = token.replace(/.{6}$/, 'aaaaaa');
      const what = 'its end is another';
      await judgeRefusals(judge, app, [['unknown-subject', what, () => asSubject(unknown)]]);
      await judgePart(judge, 'foreign-subject', async () => {
        const foreign = await refreshToken(app.other());
        const { id } = app.other();
        await judgeRefusals(judge, app, [['foreign-subject', id, () => asSubject(foreign)]]);
      });
    });
    const next = (await client.refresh(first)).string('refresh_token');
    if (next === undefined || next === first) {
      throw new NotApplicable('The provider gives no other refresh token for one.');
    }
    const spent = await client.refresh(first);
    judge.table(spent, { spent: refusedBy(world.breaking) }, { reading: OVERLAP });
  },
});

/** @throws NotApplicable */
function refreshTokenOf(answer: Answer): string {
  const token = answer.string('refresh_token');
  if (token !== undefined) return token;
  throw new NotApplicable('With offline_access the client gets no refresh token.');
}
