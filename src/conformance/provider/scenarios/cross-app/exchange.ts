import {
  ID_JAG_TOKEN_TYPE,
  NOT_A_BEARER,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../protocol/index.ts';
import { CannotTest, type Judge, judgePart, NotApplicable, shown } from '../../../engine/judge.ts';
import { is, isAbsent, isNumber, isText, member, noStore, not } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { crossAppScenario } from '../../cross-app/cross-app-scenario.ts';
import type { ClientSignIn, CrossAppWorld } from '../../cross-app/cross-app-world.ts';
import {
  ASYMMETRIC,
  claimProblems,
  ID_JAG_HEADER,
  NO_JTI,
  NO_PUBLIC_KEY,
  scopeRows,
  validNow,
  wordsOf,
} from '../../steps/id-jag-claims.ts';
import { isMinted, signedBy } from '../../steps/rows.ts';

/** Seconds. Servers that take no more, and who takes it at all. */
const STRICT = 300;
const LONGEST = 3600;

const MINTS = 5;
/** Clients that give up after this lose what they spent. Milliseconds. */
const IN_TIME = 5000;

/** What a resource server has no need of (OpenID Connect Core §5.1). */
const PERSONAL = [
  'address',
  'birthdate',
  'family_name',
  'gender',
  'given_name',
  'middle_name',
  'phone_number',
  'picture',
  'zoneinfo',
] as const;

const ONE_KEY = 'RFC 7515 §4.1.4 leaves it to whoever has one key.';
const ANY_CASE = 'RFC 6749 §5.1 compares it whatever its case; some clients do not.';
const SLASH = 'It differs in a final slash alone: servers that compare exactly refuse it.';
const STRICT_SERVERS = 'No source has a limit; strict servers take five minutes at most.';
const RECOMMENDED = 'RFC 8693 §2.2.1 recommends it.';

const NO_CLIENT_ID =
  'The client has an id of its own at the audience: name it with --client-id-there, as the provider has it mapped.';

export const idpExchange = crossAppScenario({
  id: 'idp-exchange',
  title: 'A client exchanges the ID token of its user for an ID-JAG',
  checks: {
    minted: 'A token exchange with an ID token is answered 200 with an ID-JAG.',
    'in-time': 'A token exchange is answered within five seconds.',
    'issued-type': 'The issued_token_type is the ID-JAG.',
    'token-type': 'The token_type is N_A, as it is written there.',
    'expires-in': 'The expires_in is a number, and agrees with the exp of the ID-JAG.',
    'other-tokens': 'The answer has no ID token and no refresh token.',
    uncached: 'The answer has Cache-Control: no-store.',
    header: 'The header has the typ oauth-id-jag+jwt, an asymmetric alg and a kid.',
    signed: 'The ID-JAG is signed by a published key.',
    claims:
      'The claims have iss, sub, aud, client_id, jti, exp and iat, each in its JSON type and valid now.',
    'claim-types': 'Each optional claim has its own JSON type.',
    issuer: 'The iss is the issuer of the provider.',
    audience: 'The aud is the issuer of the one server that was asked for.',
    'client-id': 'The client_id is that of the client at that server.',
    'short-lived': 'The ID-JAG is valid for five minutes at most.',
    unique: 'Each ID-JAG has its own jti.',
    'subject-stable': 'The same user has the same sub after another sign-in.',
    'subjects-differ': 'Two users have two subs.',
    personal: 'The ID-JAG tells no more of the user than an account needs.',
    tenant: 'The ID-JAG names the tenant that the ID token names.',
    unbound: 'Without a proof of a key the ID-JAG is bound to none.',
    resource: 'The ID-JAG has the requested resource, and no other one.',
    scope: 'The ID-JAG has no scope that was not requested.',
    'scope-said': 'The answer has the scope of the ID-JAG where it differs from the requested one.',
  },
  blockedBy: ['idp-authorization.code', 'idp-code.redeemed'],
  async run(judge, app) {
    const { given, world } = app;
    const session = await app.session();
    const answer = await app.exchange(session);
    requireOffered(app, answer);
    judge.expect('minted', answer.status === 200 && isMinted(answer), answer);
    judge.expect('in-time', answer.duration <= IN_TIME, `It took ${answer.duration} ms.`);
    const jwt = app.open(app.mustMint(answer));
    const { claims, header } = jwt;
    const { exchange } = answer;
    const tokenType = answer.member('token_type');
    const isOtherCase = isText(tokenType) && tokenType.toUpperCase() === NOT_A_BEARER;
    judge.table(answer, {
      'issued-type': member('issued_token_type', is(ID_JAG_TOKEN_TYPE)),
      'token-type': member('token_type', is(NOT_A_BEARER), {
        expected: `token_type: ${NOT_A_BEARER}`,
        reading: isOtherCase ? ANY_CASE : undefined,
      }),
      'other-tokens': [
        member('id_token', isAbsent),
        member('refresh_token', isAbsent, { warn: true }),
      ],
      uncached: noStore,
    });
    const now = world.time.now();
    const headerRows = [...ID_JAG_HEADER, member('kid', isText, { reading: ONE_KEY })];
    judge.table(header, { header: headerRows }, { exchange });
    if (!ASYMMETRIC.test(String(header['alg']))) judge.skip('signed', NO_PUBLIC_KEY);
    else judge.table(jwt, { signed: signedBy(jwt, await world.keySet()) }, { exchange });

    const { aud, exp, iat } = claims;
    const { missing, illTyped } = claimProblems(claims);
    const audiences = [aud].flat();
    const isOne = (value: unknown) => audiences.length === 1 && audiences[0] === value;
    // A name of another kind stands for the issuer (ID-JAG §4.3).
    const isIssuer = isText(audiences[0]) && /^https?:/.test(audiences[0]);
    const isNamed = !/^https?:/.test(app.audience) && audiences.length === 1 && isIssuer;
    const isSlashed = isOne(`${app.audience}/`) || isOne(app.audience.replace(/\/$/, ''));
    const known = PERSONAL.filter((name) => claims[name] !== undefined);
    const { tenant } = app.open(session.idToken).claims;
    judge.table(
      claims,
      {
        claims: [
          { ok: missing.length === 0, seen: `missing or wrong: ${missing.join(', ')}` },
          ...validNow(now),
        ],
        'claim-types': { ok: illTyped.length === 0, seen: illTyped.join(', ') },
        issuer: member('iss', is(world.facts.issuer)),
        audience: member('aud', () => isNamed || isOne(app.audience), {
          expected: `aud: ${app.audience}`,
          reading: isSlashed ? SLASH : undefined,
        }),
        personal: { ok: known.length === 0, seen: known.join(', ') },
        unbound: member('cnf', isAbsent),
        tenant: tenant === undefined ? undefined : member('tenant', is(tenant)),
        'client-id':
          given.clientIdThere === undefined
            ? undefined
            : member('client_id', is(given.clientIdThere), {
                expected: `client_id: ${given.clientIdThere}`,
              }),
      },
      { exchange },
    );
    judge.skip('tenant', 'The ID token names no tenant.');
    judge.skip('client-id', NO_CLIENT_ID, { needs: '--client-id-there' });
    judgeLifetime(judge, answer, Number(exp) - Number(iat));
    judgeResource(judge, app, answer, claims);

    await judgePart(judge, ['unique', 'subject-stable'], async () => {
      const ids = new Set([claims['jti']]);
      for (let mint = 1; mint < MINTS; mint += 1) {
        ids.add(app.open(await app.idJag(session)).claims['jti']);
      }
      const isOwn = ids.size === MINTS;
      if (claims['jti'] === undefined) judge.skip('unique', NO_JTI);
      else judge.expect('unique', isOwn, `${ids.size} jti in ${MINTS} ID-JAGs`, { exchange });
      const again = await app.session(app.client, session.email);
      const later = app.open(await app.idJag(again)).claims;
      judge.table(later, { 'subject-stable': member('sub', is(claims['sub'])) }, { exchange });
    });
    await judgePart(judge, 'subjects-differ', async () => {
      const other = await app.session(app.client, world.freshEmail());
      const theirs = app.open(await app.idJag(other)).claims;
      const isOther = member('sub', not(is(claims['sub'])));
      judge.table(theirs, { 'subjects-differ': isOther }, { exchange });
    });
    await judgePart(judge, ['scope', 'scope-said'], () =>
      judgeScope(judge, app, session, claims['scope']),
    );
  },
});

/**
 * What is no defect of the provider: it does not offer the exchange, or an administrator has to allow it first.
 * @throws NotApplicable, CannotTest
 */
function requireOffered(app: CrossAppWorld, answer: Answer): void {
  const { audience, world } = app;
  const { errorCode = '' } = answer;
  const said = app.quote(answer);
  if (errorCode === 'unsupported_grant_type') {
    if (world.facts.grantTypes.includes(TOKEN_EXCHANGE_GRANT)) return;
    throw new NotApplicable(`The provider exchanges no tokens: ${said}.`);
  }
  const isPolicy = ['access_denied', 'invalid_target', 'unauthorized_client'].includes(errorCode);
  if (!isPolicy) return;
  throw new CannotTest(
    `An exchange for ${audience} was answered ${said}: let the provider mint for this audience and resource, this client, and this user.`,
  );
}

function judgeLifetime(
  judge: Judge<'short-lived' | 'expires-in'>,
  answer: Answer,
  life: number,
): void {
  if (Number.isNaN(life)) {
    judge.skip(['short-lived', 'expires-in'], 'The ID-JAG has no exp and iat to compare.');
    return;
  }
  const given = answer.member('expires_in');
  judge.table(answer, {
    'short-lived': {
      ok: life <= STRICT,
      seen: `${life} seconds`,
      reading: life <= LONGEST ? STRICT_SERVERS : undefined,
    },
    'expires-in': {
      ok: isNumber(given) && Math.abs(given - life) <= 60,
      seen: `expires_in: ${shown(given)}`,
      expected: `expires_in: about ${life}`,
      reading: given === undefined ? RECOMMENDED : undefined,
    },
  });
}

/** Judges the claim where it is there: without one, the server has one resource, or falls back to its own rule. */
function judgeResource(
  judge: Judge<'resource'>,
  { given }: CrossAppWorld,
  { exchange }: Answer,
  { resource }: Readonly<Record<string, unknown>>,
): void {
  if (given.resource === undefined) {
    judge.skip('resource', 'No resource was named.', { needs: '--resource' });
  } else if (resource === undefined) {
    judge.skip('resource', 'The ID-JAG names no resource, and the server decides by its audience.');
  } else {
    const all = [resource].flat();
    const isAlone = all.length === 1 && all[0] === given.resource;
    judge.expect('resource', isAlone, `resource: ${shown(resource)}`, { exchange });
  }
}

/**
 * Asks for one scope that is granted without asking, and for one that nobody has.
 * @param granted the scope of an ID-JAG for a request that names none.
 */
async function judgeScope(
  judge: Judge<'scope' | 'scope-said'>,
  app: CrossAppWorld,
  session: ClientSignIn,
  granted: unknown,
): Promise<void> {
  const asked = [...wordsOf(granted).slice(0, 1), app.world.invented.scope()];
  const answer = await app.exchange(session, { scope: asked.join(' ') });
  if (answer.errorCode === 'invalid_scope') {
    throw new NotApplicable('The provider refuses a scope that it does not know.');
  }
  const { scope } = app.open(app.mustMint(answer)).claims;
  judge.table(answer, scopeRows(answer, scope, asked));
}
