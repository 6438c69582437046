import { ID_JAG_TOKEN_TYPE, JWT_TYPE } from '../../../protocol/index.ts';
import { CannotTest, shown } from '../../engine/judge.ts';
import { is, isText, matches, member, noStore, not } from '../../engine/rows.ts';
import { clientDocumentUrl } from '../provider-facts.ts';
import { providerScenario } from '../provider-scenario.ts';
import { claimProblems, isVerifiedEmail } from '../steps/id-jag-claims.ts';
import { isType } from '../steps/jwt-type.ts';
import { signedBy } from '../steps/rows.ts';

const ASYMMETRIC = /^(ES(256|384|512)|EdDSA|Ed25519|[RP]S(256|384|512))$/;
const TAKEN_EVERYWHERE = ['ES256', 'EdDSA', 'RS256', 'PS256'];
/** Without consent there is no mint to judge. */
const CONSENT_CODES = ['consent_required', 'interaction_required', 'access_denied'];
/** An ID-JAG is valid for about five minutes; a service refuses one of more than an hour. Seconds. */
const ABOUT_FIVE_MINUTES = 600;

export const mint = providerScenario({
  id: 'mint',
  title: 'An agent mints an ID-JAG for a service that its user consented to',
  checks: {
    minted: 'After consent, a token exchange with an ID token is answered 200 with an ID-JAG.',
    'issued-type': 'The issued_token_type is the ID-JAG.',
    'token-type': 'The token_type is N_A: an ID-JAG is not a bearer token.',
    'expires-in': 'The expires_in agrees with the exp of the ID-JAG.',
    'no-refresh-token': 'The answer has no refresh token.',
    uncached: 'The answer has Cache-Control: no-store.',
    header: 'The header has the typ oauth-id-jag+jwt, an asymmetric alg and a kid.',
    signed: 'The ID-JAG is signed by a key of the published key set.',
    claims: 'The ID-JAG has iss, sub, aud, client_id, jti, exp and iat, each of its type.',
    'claim-types': 'Each optional claim has its JSON type.',
    issuer: "The ID-JAG's iss is the issuer of the metadata.",
    audience: "The ID-JAG's aud is the requested audience only.",
    'client-id': "The ID-JAG's client_id is the issuer or the URL of its client document.",
    email: 'The ID-JAG names its user by email or aud_sub.',
    'verified-address': 'The ID-JAG has a verified email or phone number.',
    'sign-in-time': 'The auth_time of the ID-JAG is the time of the sign-in, not after iat.',
    'short-lived': 'The ID-JAG is valid for about five minutes (at most ten).',
    unique: 'Each ID-JAG has its own jti.',
    'subject-stable': 'The same user has the same sub after another sign-in.',
    'subjects-differ': 'Two users have different subs.',
  },
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const answer = await world.mintWithConsent(session, audience);
    const token = answer.string('access_token');
    if (token === undefined && CONSENT_CODES.includes(answer.errorCode ?? '')) {
      throw new CannotTest(`The user could not consent: ${answer.describe()}.`);
    }
    if (answer.errorCode === 'invalid_target') world.must(answer, 'access_token', 'a mint');
    judge.expect('minted', answer.status === 200 && token !== undefined, answer);
    if (token === undefined) {
      // With what to do where the provider does not mint for the suite's services.
      world.must(answer, 'access_token', 'a mint');
      throw new CannotTest('The provider minted no ID-JAG.');
    }
    const jwt = world.open(token);
    const { claims, header } = jwt;
    const { alg, kid, typ } = header;
    const { aud, auth_time: authTime, aud_sub: audSub, email, exp, iat } = claims;
    const life = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : undefined;
    if (life === undefined) {
      judge.skip(['short-lived', 'expires-in'], 'The ID-JAG has no exp and iat to compare.');
    }
    judge.table(answer, {
      'issued-type': member('issued_token_type', is(ID_JAG_TOKEN_TYPE)),
      'token-type': member('token_type', matches(/^N_A$/i)),
      'expires-in':
        life === undefined
          ? undefined
          : member('expires_in', (value) => isNumber(value) && Math.abs(value - life) <= 60),
      'no-refresh-token': {
        ok: answer.member('refresh_token') === undefined,
        seen: 'a refresh_token',
      },
      uncached: noStore,
    });
    const { exchange } = answer;
    const { issuer } = world.facts;
    const { missing, illTyped } = claimProblems(claims);
    const audiences = [aud].flat();
    const isOne = audiences.length === 1;
    // The other reading of X-04: the URL of the API stands for its authorization server.
    const isBelow = isOne && String(audiences[0]).startsWith(`${audience}/`);
    const isSignInTime = (time: unknown) => isNumber(time) && time <= Number(iat ?? authTime) + 60;
    const isHeader = isType(typ, JWT_TYPE.idJag) && ASYMMETRIC.test(String(alg)) && isText(kid);
    const rows = {
      header: [
        { ok: isHeader, seen: shown({ typ, alg, kid }) },
        // Services need not take another algorithm.
        { ok: TAKEN_EVERYWHERE.includes(String(alg)), seen: `alg ${String(alg)}`, warn: true },
      ],
      signed: signedBy(jwt, await world.keySet()),
      claims: { ok: missing.length === 0, seen: `missing or wrong: ${missing.join(', ')}` },
      'claim-types': { ok: illTyped.length === 0, seen: illTyped.join(', ') },
      issuer: member('iss', is(issuer)),
      audience: member('aud', () => isOne && audiences[0] === audience, { warn: isBelow }),
      'client-id': member('client_id', is(issuer, clientDocumentUrl(world.facts))),
      email: { ok: email !== undefined || audSub !== undefined, seen: 'neither email nor aud_sub' },
      'verified-address': { ok: isVerifiedEmail(claims), seen: shown(claims) },
      'sign-in-time': member('auth_time', isSignInTime),
      'short-lived':
        life === undefined
          ? undefined
          : { ok: life <= ABOUT_FIVE_MINUTES, seen: `${life} seconds` },
    };
    judge.table(claims, rows, { exchange });

    const again = world.open(await world.idJag(session, audience)).claims;
    const later = await world.session(session.email);
    const { sub } = world.open(await world.idJag(later, audience)).claims;
    const unique = member('jti', not(is(claims['jti'])));
    judge.table(again, {
      unique,
      'subject-stable': { ok: sub === claims['sub'], seen: shown({ sub }) },
    });
    const otherUser = await world.session(world.freshEmail());
    const other = world.open(await world.idJag(otherUser, audience)).claims;
    judge.table(other, { 'subjects-differ': member('sub', not(is(claims['sub']))) });
  },
});

const isNumber = (value: unknown): value is number => typeof value === 'number';
