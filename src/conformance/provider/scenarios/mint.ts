import { ID_JAG_TOKEN_TYPE, JWT_TYPE } from '../../../protocol/index.ts';
import { CannotTest } from '../../engine/judge.ts';
import { signatureProblem } from '../../jwt/open.ts';
import { clientDocumentUrl } from '../provider-facts.ts';
import { providerScenario } from '../provider-scenario.ts';
import { claimProblems, isVerifiedEmail } from '../steps/id-jag-claims.ts';

const ASYMMETRIC = /^(ES(256|384|512)|EdDSA|Ed25519|[RP]S(256|384|512))$/;
const TAKEN_EVERYWHERE = ['ES256', 'EdDSA', 'RS256', 'PS256'];
/** It is not the mint that is wrong then. */
const CONSENT_CODES = ['consent_required', 'interaction_required', 'access_denied'];
/** An ID-JAG lives for about five minutes; a service refuses one of more than an hour. Seconds. */
const ABOUT_FIVE_MINUTES = 600;

export const mint = providerScenario({
  id: 'mint',
  title: 'An agent mints an ID-JAG for a service that its user agreed to',
  checks: {
    minted: 'A token exchange with an ID token brings an ID-JAG once the user has agreed.',
    'issued-type': 'The answer says that an ID-JAG was issued.',
    'token-type': 'The answer calls the token N_A, which is no bearer.',
    'expires-in': 'The answer says how long the ID-JAG lives, as its exp does.',
    'no-refresh-token': 'The answer has no refresh token.',
    uncached: 'No cache may keep the answer.',
    header: 'The header has the typ oauth-id-jag+jwt, an asymmetric alg and a kid.',
    signed: 'The ID-JAG is signed by a key of the published set.',
    claims: 'The ID-JAG has iss, sub, aud, client_id, jti, exp and iat, each of its type.',
    'claim-types': 'Each optional claim has its own JSON type.',
    issuer: "The ID-JAG's iss is the issuer of the metadata.",
    audience: "The ID-JAG's aud is the audience that was asked for, and nobody else.",
    'client-id': "The ID-JAG's client_id is the issuer or the address of its client document.",
    email: 'The ID-JAG names its user by an email or by the subject of the service.',
    'verified-address': 'The ID-JAG has an email or a phone number, said to be verified.',
    'sign-in-time': 'The ID-JAG says when its user signed in.',
    'short-lived': 'The ID-JAG lives for about five minutes.',
    unique: 'Each ID-JAG has a jti of its own.',
    'subject-stable': 'The same user has the same sub after another sign-in.',
    'subjects-differ': 'Two users have two subs.',
  },
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const answer = await world.mintWithConsent(session, audience);
    const token = answer.string('access_token');
    if (token === undefined && CONSENT_CODES.includes(answer.errorCode ?? '')) {
      throw new CannotTest(`The user could not agree: ${answer.describe()}.`);
    }
    if (answer.errorCode === 'invalid_target') world.must(answer, 'access_token', 'a mint');
    const minted = answer.status === 200 && token !== undefined;
    judge.expect('minted', minted, answer);
    if (token === undefined) {
      // Says what to do where the provider does not know the suite's services.
      world.must(answer, 'access_token', 'a mint');
      throw new CannotTest('There is no ID-JAG to look at.');
    }
    const tell = (name: CheckOfMint, ok: boolean, expected: string, seen: unknown, warn = false) =>
      judge.expect(
        name,
        ok,
        typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? 'nothing'),
        { expected, exchange: answer.exchange, warn },
      );
    const issuedType = answer.member('issued_token_type');
    tell('issued-type', issuedType === ID_JAG_TOKEN_TYPE, ID_JAG_TOKEN_TYPE, issuedType);
    const tokenType = answer.string('token_type');
    tell('token-type', tokenType?.toUpperCase() === 'N_A', 'token_type N_A', tokenType);
    const refresh = answer.member('refresh_token');
    tell('no-refresh-token', refresh === undefined, 'no refresh_token', 'a refresh_token');
    const noStore = answer.cacheControl.includes('no-store');
    tell('uncached', noStore, 'Cache-Control: no-store', answer.header('cache-control'));

    const jwt = world.open(token);
    const { alg, kid, typ } = jwt.header;
    tell(
      'header',
      isType(typ, JWT_TYPE.idJag) && ASYMMETRIC.test(String(alg)) && typeof kid === 'string',
      `typ ${JWT_TYPE.idJag}, an asymmetric alg and a kid`,
      { typ, alg, kid },
    );
    const common = TAKEN_EVERYWHERE.includes(String(alg));
    tell(
      'header',
      common,
      `an alg of ${TAKEN_EVERYWHERE.join(', ')}, which services take`,
      alg,
      true,
    );
    const problem = signatureProblem(jwt, await world.keySet());
    tell('signed', problem === undefined, 'a signature by a published key', problem);

    const { claims } = jwt;
    const { missing, illTyped } = claimProblems(claims);
    tell('claims', missing.length === 0, 'every required claim', `wrong: ${missing.join(', ')}`);
    tell('claim-types', illTyped.length === 0, 'claims of their own types', illTyped.join(', '));
    const { issuer } = world.facts;
    tell('issuer', claims['iss'] === issuer, `iss ${issuer}`, claims['iss']);
    const audiences = [claims['aud']].flat();
    const isOne = audiences.length === 1;
    const [aud] = audiences;
    // The other reading of X-04: the address of the API stands for its authorization server.
    const isBelow = isOne && typeof aud === 'string' && aud.startsWith(`${audience}/`);
    tell('audience', isOne && aud === audience, audience, claims['aud'], isBelow);
    const clients: unknown[] = [issuer, clientDocumentUrl(world.facts)];
    const named = clients.includes(claims['client_id']);
    tell('client-id', named, clients.join(' or '), claims['client_id']);
    const { email, aud_sub: audSub } = claims;
    tell('email', email !== undefined || audSub !== undefined, 'email or aud_sub', 'neither');
    const verified = isVerifiedEmail(claims);
    tell('verified-address', verified, 'an address, and true in its _verified', claims);
    const { auth_time: authTime, exp, iat } = claims;
    const known = typeof authTime === 'number' && authTime <= Number(iat ?? authTime) + 60;
    tell('sign-in-time', known, 'auth_time, not after iat', authTime);
    if (typeof exp === 'number' && typeof iat === 'number') {
      const life = exp - iat;
      tell('short-lived', life <= ABOUT_FIVE_MINUTES, 'about 300 seconds', `${life} seconds`);
      const said = answer.member('expires_in');
      const agrees = typeof said === 'number' && Math.abs(said - life) <= 60;
      tell('expires-in', agrees, `expires_in of about ${life}`, said);
    } else {
      judge.skip(['short-lived', 'expires-in'], 'The ID-JAG has no exp and iat to compare.');
    }

    const again = world.open(await world.idJag(session, audience)).claims;
    const unique = again['jti'] !== claims['jti'];
    tell('unique', unique, 'another jti in the next ID-JAG', claims['jti']);
    const later = await world.session(session.email);
    const { sub } = world.open(await world.idJag(later, audience)).claims;
    tell('subject-stable', sub === claims['sub'], `sub ${String(claims['sub'])}`, sub);
    const stranger = await world.session(world.freshEmail());
    const other = world.open(await world.idJag(stranger, audience)).claims['sub'];
    tell('subjects-differ', other !== claims['sub'], 'another sub for another user', other);
  },
});

type CheckOfMint =
  | 'issued-type'
  | 'token-type'
  | 'expires-in'
  | 'no-refresh-token'
  | 'uncached'
  | 'header'
  | 'signed'
  | 'claims'
  | 'claim-types'
  | 'issuer'
  | 'audience'
  | 'client-id'
  | 'email'
  | 'verified-address'
  | 'sign-in-time'
  | 'short-lived'
  | 'unique'
  | 'subject-stable'
  | 'subjects-differ';

/** RFC 7515 §4.1.9: whatever the case, with or without `application/`. */
export function isType(typ: unknown, kind: string): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === kind;
}
