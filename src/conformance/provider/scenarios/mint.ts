import { ID_JAG_TOKEN_TYPE } from '../../../protocol/index.ts';
import { judgePart, NotApplicable, shown } from '../../engine/judge.ts';
import {
  errorCode,
  is,
  isNumber,
  isText,
  matches,
  member,
  noStore,
  not,
} from '../../engine/rows.ts';
import { isWithoutConsent } from '../no-mint.ts';
import type { FormValues } from '../provider-client.ts';
import { clientDocumentUrl } from '../provider-facts.ts';
import { providerScenario } from '../provider-world.ts';
import {
  ASYMMETRIC,
  claimProblems,
  ID_JAG_HEADER,
  isVerifiedEmail,
  NO_JTI,
  NO_PUBLIC_KEY,
  scopeRows,
  validNow,
} from '../steps/id-jag-claims.ts';
import { nothingMinted, ofRefusal, refusedBy, signedBy } from '../steps/rows.ts';

const TAKEN_EVERYWHERE = ['ES256', 'EdDSA', 'RS256', 'PS256'];
const NOT_EVERYWHERE =
  'The draft allows any asymmetric algorithm; not every service takes this one.';
/** An ID-JAG is valid for about five minutes; a service refuses one of more than an hour. Seconds. */
const ABOUT_FIVE_MINUTES = 600;

/** */
const OF_THE_RESOURCE =
  'Elsewhere in this protocol family the audience is the URL of the resource.';

/** What only the answer to a token exchange has. */
const OF_THE_ANSWER = [
  'minted',
  'issued-type',
  'token-type',
  'expires-in',
  'no-refresh-token',
  'uncached',
] as const;

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
    claims:
      'The ID-JAG has iss, sub, aud, client_id, jti, exp and iat, each of its type and valid now.',
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
  resting: { 'consent.granted': ['minted'] },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const answer = await world.mintWithConsent(session, audience);
    // Nothing that it had to mint: a service that it does not know, or a consent that was not given.
    if (answer.errorCode === 'invalid_target' || isWithoutConsent(answer)) {
      world.mustMint(answer, audience);
    }
    const isThere = answer.string('access_token') !== undefined;
    const { mintsByCommand } = world;
    if (mintsByCommand) judge.skip(OF_THE_ANSWER, 'ID-JAGs come from --mint-command.');
    else judge.expect('minted', answer.status === 200 && isThere, answer);
    const token = world.mustMint(answer, audience);
    const exchange = mintsByCommand ? undefined : answer.exchange;
    if (!mintsByCommand)
      judge.table(answer, {
        'issued-type': member('issued_token_type', is(ID_JAG_TOKEN_TYPE)),
        'token-type': member('token_type', matches(/^N_A$/i)),
        'no-refresh-token': {
          ok: answer.member('refresh_token') === undefined,
          seen: 'a refresh_token',
        },
        uncached: noStore,
      });

    const jwt = world.open(token);
    const { claims, header } = jwt;
    const now = world.time.now();
    const isPublic = ASYMMETRIC.test(String(header['alg']));
    const headerRows = [
      ...ID_JAG_HEADER,
      member('kid', isText),
      isPublic ? member('alg', is(...TAKEN_EVERYWHERE), { reading: NOT_EVERYWHERE }) : undefined,
    ];
    judge.table(header, { header: headerRows }, { exchange });
    if (!isPublic) judge.skip('signed', NO_PUBLIC_KEY);
    else judge.table(jwt, { signed: signedBy(jwt, await world.keySet()) }, { exchange });

    const { aud, auth_time: authTime, aud_sub: audSub, email, exp, iat } = claims;
    const { issuer } = world.facts;
    const { missing, illTyped } = claimProblems(claims);
    const audiences = [aud].flat();
    const isOne = audiences.length === 1;
    const isBelow = isOne && isText(audiences[0]) && audiences[0].startsWith(`${audience}/`);
    const isSignInTime = (time: unknown) => isNumber(time) && time <= Number(iat ?? authTime) + 60;
    const clients = [issuer, clientDocumentUrl(world.facts)];
    const rows = {
      claims: [
        { ok: missing.length === 0, seen: `missing or wrong: ${missing.join(', ')}` },
        ...validNow(now),
      ],
      'claim-types': { ok: illTyped.length === 0, seen: illTyped.join(', ') },
      issuer: member('iss', is(issuer), { expected: `iss: ${issuer}` }),
      audience: member('aud', () => isOne && audiences[0] === audience, {
        expected: `aud: ${audience}`,
        reading: isBelow ? OF_THE_RESOURCE : undefined,
      }),
      'client-id': member('client_id', is(...clients), {
        expected: `client_id: ${clients.join(' or ')}`,
      }),
      email: { ok: email !== undefined || audSub !== undefined, seen: 'neither email nor aud_sub' },
      'verified-address': { ok: isVerifiedEmail(claims), seen: shown(claims) },
      'sign-in-time': member('auth_time', isSignInTime),
    };
    judge.table(claims, rows, { exchange });
    if (isNumber(exp) && isNumber(iat)) {
      const life = exp - iat;
      const isLife = (value: unknown) => isNumber(value) && Math.abs(value - life) <= 60;
      judge.table(answer, {
        'short-lived': { ok: life <= ABOUT_FIVE_MINUTES, seen: `${life} seconds` },
        'expires-in': mintsByCommand
          ? undefined
          : member('expires_in', isLife, { expected: `expires_in: about ${life}` }),
      });
    } else {
      judge.skip(['short-lived', 'expires-in'], 'The ID-JAG has no exp and iat to compare.');
    }

    await judgePart(judge, ['unique', 'subject-stable'], async () => {
      const again = world.open(await world.idJag(session, audience)).claims;
      if (claims['jti'] === undefined) judge.skip('unique', NO_JTI);
      else judge.table(again, { unique: member('jti', not(is(claims['jti']))) }, { exchange });
      const later = await world.session(session.email);
      const same = world.open(await world.idJag(later, audience)).claims;
      const isSame = member('sub', is(claims['sub']), {
        expected: `${shown({ sub: claims['sub'] })}, as after the first sign-in`,
      });
      judge.table(same, { 'subject-stable': isSame }, { exchange });
    });
    await judgePart(judge, 'subjects-differ', async () => {
      const otherUser = await world.session(world.freshEmail());
      const other = world.open(await world.idJag(otherUser, audience)).claims;
      const isOther = member('sub', not(is(claims['sub'])));
      judge.table(other, { 'subjects-differ': isOther }, { exchange });
    });
  },
});

const REQUIRED = [
  'grant_type',
  'requested_token_type',
  'audience',
  'subject_token',
  'subject_token_type',
] as const;

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

export const mintRefusals = providerScenario({
  id: 'mint-refusals',
  title: 'An agent requests an ID-JAG with wrong parameters',
  checks: {
    'missing-parameter': 'A mint without a required parameter is refused.',
    'missing-parameter-code': 'A mint without a required parameter is answered invalid_request.',
    'requested-type': 'A mint with an unknown requested_token_type is refused.',
    'unknown-audience': 'A mint for an audience that is not a service is refused.',
    'unknown-audience-code':
      'A mint for an audience that is not a service is answered invalid_target.',
    actor: 'An actor_token without its type, and a type without its token, are refused.',
    'own-issuer': 'The provider mints nothing for itself as the audience.',
    'id-jag-traded': 'The provider issues no access token for an ID-JAG of its own.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { client } = world;
    // The user has consented, so only the parameters can be refused.
    const idJag = await world.idJag(session, audience);
    const right = client.mintForm(session.idToken, audience);
    const withChange = (change: FormValues) => client.token({ ...right, ...change });

    const refused = refusedBy(world.breaking);

    for (const name of REQUIRED) {
      const rows = {
        'missing-parameter': nothingMinted(world.breaking),
        'missing-parameter-code': ofRefusal(errorCode('invalid_request')),
      };
      judge.table(await withChange({ [name]: undefined }), rows, { case: `without ${name}` });
    }
    const unknown = await withChange({ requested_token_type: world.invented.urn() });
    judge.table(unknown, { 'requested-type': refused });
    for (const unknownAudience of [
      world.invented.name(),
      world.invented.urn(),
      `${audience}#${world.invented.word()}`,
    ]) {
      const rows = {
        'unknown-audience': nothingMinted(world.breaking),
        'unknown-audience-code': ofRefusal(errorCode('invalid_target')),
      };
      judge.table(await withChange({ audience: unknownAudience }), rows, { case: unknownAudience });
    }
    const itself = await withChange({ audience: world.facts.issuer });
    judge.table(itself, { 'own-issuer': refused });
    for (const half of [
      { actor_token: session.idToken },
      { actor_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    ]) {
      const alone = `${Object.keys(half).join('')} alone`;
      judge.table(await withChange(half), { actor: refused }, { case: alone });
    }
    for (const form of [
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: idJag },
      { ...right, subject_token: idJag, requested_token_type: ACCESS_TOKEN_TYPE },
    ]) {
      judge.table(await client.token(form), { 'id-jag-traded': nothingMinted(world.breaking) });
    }
  },
});

const ITS_OWN = 'A provider may know that a resource on another origin belongs to the service.';

export const mintScope = providerScenario({
  id: 'mint-scope',
  title: 'An agent requests a resource and scopes',
  checks: {
    scope: 'The ID-JAG has no scope that was not requested.',
    'scope-said': 'The answer has the scope of the ID-JAG where it differs from the requested one.',
    resource: 'The ID-JAG has the requested resource.',
    'bad-resource': 'A mint for a resource that is not an absolute URL is refused.',
    'foreign-resource': 'A mint for a resource of another service is refused.',
  },
  // Whoever does not look at the resource is wrong about each.
  resting: { 'mint-scope.resource': ['bad-resource', 'foreign-resource'] },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    world.client.needExchange();
    const service = world.audience();
    const audience = service.issuer;
    const session = await world.session();
    const { invented } = world;
    // What is refused from here on is refused for its resource or scope.
    await world.idJag(session, audience);
    const wanted = service.traits.scopes.join(' ');
    const resource = `${audience}/${invented.word()}/${invented.word()}`;
    const first = await world.mintWithConsent(session, audience, { resource, scope: wanted });
    if (first.errorCode === 'invalid_scope') {
      judge.skip(
        ['scope', 'scope-said'],
        `The provider knows other scopes of the suite's services than their metadata lists: ${first.describe()}.`,
      );
    }
    const answer =
      first.errorCode === 'invalid_scope'
        ? await world.mintWithConsent(session, audience, { resource })
        : first;
    if (answer.errorCode === 'invalid_target') {
      throw new NotApplicable(
        `The provider knows no resource below the suite's services: ${answer.describe()}.`,
      );
    }
    const { scope, resource: claimed } = world.open(world.mustMint(answer, audience)).claims;
    if (answer === first) {
      judge.table(answer, scopeRows(answer, scope, service.traits.scopes));
    }
    judge.table(answer, {
      resource: { ok: [claimed].flat().includes(resource), seen: `resource ${shown(claimed)}` },
    });
    // The user has consented and the right resource is minted for, so only a wrong one can be refused.
    const right = await world.client.mint(session.idToken, audience, { resource });
    world.mustMint(right, audience);
    const refused = refusedBy(world.breaking);
    // RFC 8707 §2: absolute, without a fragment.
    for (const bad of [invented.word(), `/${invented.word()}`, 'javascript:alert(1)']) {
      const answered = await world.client.mint(session.idToken, audience, { resource: bad });
      judge.table(answered, { 'bad-resource': refused }, { case: bad });
    }
    const foreign = `${world.services.elsewhere.origin}/${invented.word()}`;
    const other = await world.client.mint(session.idToken, audience, { resource: foreign });
    judge.table(other, { 'foreign-resource': refused }, { reading: ITS_OWN });
  },
});
