import { JWT_TYPE } from '../../../../protocol/index.ts';
import { CannotTest, NotApplicable, shown } from '../../../engine/judge.ts';
import { is, isNumber, member } from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { hasMac, type OpenedJwt, openJwt, signatureProblem } from '../../../jwt/open.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { scopesOf } from '../../steps/answers.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { decideClaim } from '../../steps/open-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';
import { mustRegister } from '../../steps/present-id-jag.ts';

const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];

/** */
const KEPT_APART = 'RFC 8725 §3.12 lets other rules than the type keep two kinds apart.';

/** RFC 7523 §2.1 */
const OPAQUE =
  'The specification shows no format: a service that alone reads its assertions may keep them opaque.';

/** specification, Protocol objects */
const SECRET_KEY =
  'The specification asks that the service signs it, not how: a service that alone reads its assertions may use a secret key.';

const PUBLISH = `The service signs it with an asymmetric algorithm (${ALGORITHMS.join(', ')}), and the set at jwks_uri has the public key, under the kid of the assertion.`;

export const identityAssertion = serviceScenario({
  id: 'identity-assertion',
  title: 'The identity_assertion is a signed JWT that the service made for itself',
  checks: {
    signed: 'An assertion is a compact JWT that a key of jwks_uri verifies.',
    type: '`typ` is not that of an ID-JAG.',
    issuer: '`iss` is exactly the issuer of the metadata.',
    audience: '`aud` is the issuer.',
    lifetime: '`exp` is in the future, and after `iat`.',
    subjects: 'Each registration has its own `sub`, which is no email.',
  },
  async run(judge, world) {
    const { facts } = world;
    const assertion = await someAssertion(world);
    const jwt = openJwt(assertion);
    const isJwt = jwt !== undefined;
    judge.expect('signed', isJwt, 'The assertion is no compact JWT.', { reading: OPAQUE });
    if (!isJwt) return;
    if (facts.jwksUri !== undefined) {
      const set = await world.send(facts.jwksUri);
      const keys = set.member('keys');
      const problem = signatureProblem(jwt, Array.isArray(keys) ? keys.filter(isObject) : []);
      const seen = hasMac(jwt) ? `alg: ${shown(jwt.header['alg'])}` : problem;
      judge.expect('signed', problem === undefined, seen ?? '', {
        exchange: set.exchange,
        expected: PUBLISH,
        ...(hasMac(jwt) && { reading: SECRET_KEY }),
      });
    }
    const { header, claims } = jwt;
    const type = String(header['typ'])
      .replace(/^application\//i, '')
      .toLowerCase();
    const { iat, exp } = claims;
    const isAlive =
      isNumber(exp) && exp > world.time.now() / 1000 && !(isNumber(iat) && iat >= exp);
    judge.table(header, {
      type: member('typ', () => type !== JWT_TYPE.idJag, { reading: KEPT_APART }),
    });
    const expected = facts.issuer;
    judge.table(claims, {
      issuer: member('iss', is(undefined, expected), { expected }),
      audience: member('aud', is(expected), { expected }),
      lifetime: { ok: isAlive, seen: `iat: ${shown(iat)}, exp: ${shown(exp)}` },
    });
    const second = openJwt(await someAssertion(world))?.claims['sub'];
    const subject = claims['sub'];
    const isOwn = subject !== second && !String(subject).includes('@');
    const seen = `sub: ${shown(subject)}, then ${shown(second)}`;
    judge.expect('subjects', subject === undefined || isOwn, seen);
  },
});

const CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'ver'];

const isOwnType = (typ: unknown) => typ === JWT_TYPE.identityAssertion;

/** An assertion that a service gave. */
interface Given extends OpenedJwt {
  /** How it came: `from the claim of an anonymous registration`. */
  readonly what: string;
  /** The email of the user who claimed. */
  readonly email?: string | undefined;
  readonly text: string;
  /** The scope that the poll said which brought it. */
  readonly scope?: readonly string[] | undefined;
  /** The subject of the assertion that it comes after. */
  readonly before?: unknown;
}

export const laterAssertions = serviceScenario({
  id: 'later-assertions',
  title: 'Whatever brings an identity_assertion, it is one of the same kind',
  checks: {
    signed: 'Every assertion is signed with a key of jwks_uri.',
    kind: 'Every assertion has the typ of the first, and iss, aud, sub, jti, iat, exp and ver like it.',
    parties: 'Every assertion has the iss and the aud of the first.',
    lifetime: 'Every assertion has its exp in the future, and after its iat.',
    subject: 'The assertion that a claim brings has the sub of the one before it.',
    scope: 'The exchange of an assertion that a claim brings gives the scope that its poll said.',
    'own-answers': 'What the resource answers to the token of one user holds no email of another.',
  },
  async run(judge, world) {
    needClaim(world);
    const [first, ...later] = await collect(world);
    if (first === undefined || later.length === 0) {
      throw new NotApplicable('The service gives no second assertion that is a JWT.');
    }
    const { issuer, jwksUri } = world.facts;
    const set = jwksUri === undefined ? undefined : (await world.send(jwksUri)).member('keys');
    const keys = Array.isArray(set) ? set.filter(isObject) : undefined;
    for (const { what, ...given } of later) {
      const { claims, header } = given;
      const more = { case: `the assertion ${what}` };
      // Where no key verifies the first, that is a finding of identity-assertion.
      if (keys !== undefined && signatureProblem(first, keys) === undefined) {
        const problem = signatureProblem(given, keys);
        judge.expect('signed', problem === undefined, problem ?? '', more);
      }
      const missing = CLAIMS.filter((name) => name in first.claims && !(name in claims));
      // What is wrong in the first already is a finding of identity-assertion.
      const isTyped = isOwnType(header['typ']) || !isOwnType(first.header['typ']);
      const isAlike = isTyped && missing.length === 0;
      const seen = `typ ${shown(header['typ'])}, without ${missing.join(', ') || 'none of them'}`;
      judge.expect('kind', isAlike, seen, more);
      for (const name of ['iss', 'aud']) {
        const isSame = claims[name] === first.claims[name] || first.claims[name] !== issuer;
        judge.expect('parties', isSame, `${name}: ${shown(claims[name])}`, more);
      }
      const { exp, iat, sub } = claims;
      const isAlive =
        isNumber(exp) && exp > world.time.now() / 1000 && !(isNumber(iat) && iat >= exp);
      judge.expect('lifetime', isAlive, `iat: ${shown(iat)}, exp: ${shown(exp)}`, more);
      if (given.before !== undefined) {
        judge.expect('subject', sub === given.before, `sub: ${shown(sub)}`, more);
      }
    }
    const tokens = await judgeScopes(later);
    await judgeAnswers(tokens);
    const reason = 'The service gives no assertion that shows it.';
    judge.skip(['signed', 'subject', 'scope'], reason);
    judge.skip('own-answers', 'The resource answers no two users with their emails.');

    /** Resolves with what each user's calls are made with. */
    async function judgeScopes(given: readonly Given[]) {
      const tokens: { readonly email: string; readonly token: string }[] = [];
      for (const { email, scope, text, what } of given) {
        if (email === undefined) continue;
        const exchanged = await world.client.exchange(text);
        const token = exchanged.string('access_token');
        // That it is refused is a finding of those who need its token.
        if (token === undefined) continue;
        tokens.push({ email, token });
        if (scope === undefined) continue;
        const now = scopesOf(exchanged) ?? scope;
        const isAlike = scope.every((each) => now.includes(each));
        const expected = `scope: ${scope.join(' ')}`;
        judge.expect('scope', isAlike, exchanged, { case: `the assertion ${what}`, expected });
      }
      return tokens;
    }

    /**
     * Judges the answers one after another, and the first again: a cache would have kept its answer, or that of the
     * next.
     */
    async function judgeAnswers(
      tokens: readonly { readonly email: string; readonly token: string }[],
    ): Promise<void> {
      const emails = tokens.map(({ email }) => email);
      if (world.facts.resource === undefined || new Set(emails).size < 2) return;
      const answers: [string, Answer][] = [];
      for (const { email, token } of [...tokens, ...tokens.slice(0, 1)]) {
        answers.push([email, await world.client.call(token)]);
      }
      // A resource that tells nobody who they are shows nothing.
      if (!answers.some(([email, answer]) => answer.text.includes(email))) return;
      for (const [email, answer] of answers) {
        // A list of several users is for each of them; what was kept of another has that one alone.
        const isOwn = answer.text.includes(email);
        const other = emails.find((each) => !isOwn && answer.text.includes(each));
        judge.expect('own-answers', other === undefined, answer);
      }
    }
  },
});

/** Collects an assertion each way that a service offers, none of which needs another. */
async function collect(world: ServiceWorld): Promise<readonly Given[]> {
  const { identityTypes } = world.facts;
  const all: Given[] = [];
  const add = (what: string, text: string | undefined, more: Partial<Given> = {}) => {
    const jwt = openJwt(text ?? '');
    // A service may give the one that it gave before: what is so old is no later one.
    const isNew = !all.some(({ input }) => input === jwt?.input);
    if (text !== undefined && jwt !== undefined && isNew) all.push({ what, text, ...jwt, ...more });
    return jwt?.claims['sub'];
  };
  if (identityTypes.includes('anonymous')) {
    const { assertion, claimToken } = await world.anonymous();
    const before = add('of an anonymous registration', assertion);
    const email = world.userEmail();
    const claimed = await claim(claimToken, email);
    if (claimed !== undefined) {
      const scope = scopesOf(claimed);
      const later = claimed.string('identity_assertion');
      add('from the claim of an anonymous registration', later, { before, email, scope });
    }
  }
  if (identityTypes.includes('service_auth')) {
    const { claimToken, email, ...open } = await world.byEmail(world.userEmail());
    await decideClaim(world, { ...open.claim, email, decision: 'approve' });
    const polled = await pollPatiently(world, claimToken);
    const scope = scopesOf(polled);
    add('of a registration by email', polled.string('identity_assertion'), { email, scope });
  }
  if (identityTypes.includes('identity_assertion')) await addOfIdJags();
  return all;

  async function addOfIdJags(): Promise<void> {
    try {
      const first = await mustRegister(world);
      add('by an ID-JAG', first.identityAssertion);
      add('by the next ID-JAG', (await mustRegister(world, first)).identityAssertion);
    } catch (problem) {
      // Where no ID-JAG of the suite is taken, the others are judged.
      if (!(problem instanceof NotApplicable || problem instanceof CannotTest)) throw problem;
    }
  }

  async function claim(claimToken: string, email: string): Promise<Answer | undefined> {
    if (world.facts.claimEndpoint === undefined) return undefined;
    const opened = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...opened, email, decision: 'approve' });
    return pollPatiently(world, claimToken);
  }
}
