import { ID_JAG_TOKEN_TYPE, MINUTE } from '../../../protocol/index.ts';
import { encodePart } from '../../jwt/forge.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { Forgery } from '../steps/forged-id-tokens.ts';
import { forgeriesOf, macsOf, notGood } from '../steps/forged-id-tokens.ts';
import { nothingMinted, ofRefusal, refusedBy } from '../steps/rows.ts';

const NONE = ['none', 'None', 'NONE', 'nOnE'];

export const subjectToken = providerScenario({
  id: 'subject-token',
  title: 'An agent presents an invalid ID token',
  checks: {
    forged: 'An ID token that the provider did not sign is refused.',
    unsigned: 'An ID token with the alg none, in any spelling, is refused.',
    kinds: 'Another JWT of the provider is refused as an ID token.',
    'other-client': 'An ID token of another client is refused.',
    'odd-members': 'A token with deeply nested, huge or unknown members is refused, without a 5xx.',
    code: 'An invalid subject token is answered invalid_grant or invalid_request.',
  },
  restsOn: { unsigned: 'subject-token.forged', 'odd-members': 'subject-token.forged' },
  blockedBy: ['mint.minted'],
  dangerous: true,
  async run(judge, world) {
    const { invented } = world;
    world.client.needExchange();
    const audience = world.audience().issuer;
    const session = await world.session();
    // The user has consented, so only the token can be refused.
    const idJag = await world.idJag(session, audience);
    const [, payload = '', signature = ''] = session.idToken.split('.');
    const jwt = world.open(session.idToken);
    const { header } = jwt;
    const forgeries: readonly Forgery[] = [
      ...forgeriesOf(jwt, session.idToken, world.elsewhere),
      ...macsOf(jwt, await world.keySet()),
      ['a word', invented.word()],
    ];
    const mintBy = (token: string, what: string) =>
      world.recorder.oddly(`an ID token: ${what}`, () => world.client.mint(token, audience));
    for (const [what, token] of forgeries) {
      const answer = await mintBy(token, what);
      const rows = { forged: nothingMinted(world.breaking), code: notGood };
      judge.table(answer, rows, { case: what });
    }
    const refused = refusedBy(world.breaking);
    for (const alg of NONE) {
      for (const end of ['', signature]) {
        const token = `${encodePart({ ...header, alg })}.${payload}.${end}`;
        const what = `alg ${alg}${end === '' ? ', without a signature' : ''}`;
        const answer = await mintBy(token, what);
        judge.table(answer, { unsigned: refused }, { case: what });
      }
    }
    for (const type of [undefined, ID_JAG_TOKEN_TYPE]) {
      const answer = await world.client.mint(idJag, audience, {
        ...(type !== undefined && { subject_token_type: type }),
      });
      judge.table(answer, { kinds: refused });
    }
    const other = await world.client.mint(session.idToken, audience, {
      client_id: invented.token(),
    });
    judge.table(other, { 'other-client': refused });
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    const odd = invented.member();
    const oddities = [
      `{"alg":"ES256","typ":"JWT","${odd}":1,"__proto__":{"alg":"none"}}`,
      `{"alg":"ES256","${odd}":${deep}}`,
      `{"alg":"ES256","${odd}":1e999999}`,
    ];
    for (const head of oddities) {
      const token = `${encodePart(head)}.${payload}.${signature}`;
      const answer = await mintBy(token, `a header ${head.slice(0, 60)}`);
      // Where every wrong token is a 5xx, that of an odd one has the same cause.
      const survived = { ok: answer.refused || world.breaking.isKnown };
      judge.table(answer, { 'odd-members': ofRefusal(() => survived) });
    }
  },
});

/** Older than any sign-in that services accept (wire contract: 60 minutes). */
const STALE = 125 * MINUTE;
const SKEW = 2 * MINUTE;

export const sessionAge = providerScenario({
  id: 'session-age',
  title: 'A sign-in gets old',
  checks: {
    'sign-in-time-kept': 'A later ID-JAG has the auth_time of the first one.',
    stale:
      'After an old sign-in a mint is answered insufficient_user_authentication with max_age or acr_values.',
    'old-is-said': 'An ID-JAG after an old sign-in keeps its auth_time.',
    expired: 'An expired ID token is refused.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const first = world.open(await world.idJag(session, audience)).claims['auth_time'];
    await world.time.pass(10 * MINUTE);
    const second = world.open(await world.idJag(session, audience)).claims['auth_time'];
    const kept = `auth_time ${String(second)} after ${String(first)}`;
    judge.expect('sign-in-time-kept', second === first, kept);
    await world.time.pass(STALE);
    const stale = await world.client.mint(session.idToken, audience);
    const asksAgain =
      stale.errorCode === 'insufficient_user_authentication' &&
      (typeof stale.member('max_age') === 'number' || stale.member('acr_values') !== undefined);
    judge.expect('stale', asksAgain, stale);
    const token = stale.string('access_token');
    const authTime = token === undefined ? first : world.open(token).claims['auth_time'];
    const said = `auth_time ${String(authTime)} after ${String(first)}`;
    judge.expect('old-is-said', authTime === first, said, stale);
    const { exp } = world.open(session.idToken).claims;
    if (typeof exp !== 'number') {
      judge.skip('expired', 'The ID token has no exp.');
      return;
    }
    await world.time.pass(Math.max(0, exp * 1000 - world.time.now()) + SKEW);
    const expired = await world.client.mint(session.idToken, audience);
    judge.table(expired, { expired: refusedBy(world.breaking) });
  },
});
