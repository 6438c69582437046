import { JWT_TYPE } from '../../../../protocol/index.ts';
import { CannotTest, NotApplicable, shown } from '../../../engine/judge.ts';
import { isNumber } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt, signatureProblem } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';
import { mustRegister } from '../../steps/present-id-jag.ts';

const CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'ver'];

const isOwnType = (typ: unknown) => typ === JWT_TYPE.identityAssertion;

/** An assertion that a service gave. */
interface Given extends OpenedJwt {
  /** How it came: `from the claim of an anonymous registration`. */
  readonly what: string;
  /** The email of the user who claimed. */
  readonly email?: string | undefined;
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
    const reason = 'The service gives no assertion that shows it.';
    judge.skip(['signed', 'subject'], reason);
  },
});

/** Each way that a service offers, none of which needs another. */
async function collect(world: ServiceWorld): Promise<readonly Given[]> {
  const { identityTypes } = world.facts;
  const all: Given[] = [];
  const add = (what: string, text: string | undefined, more: Partial<Given> = {}) => {
    const jwt = openJwt(text ?? '');
    // A service may give the one that it gave before: what is so old is no later one.
    const isNew = !all.some(({ input }) => input === jwt?.input);
    if (jwt !== undefined && isNew) all.push({ what, ...jwt, ...more });
    return jwt?.claims['sub'];
  };
  if (identityTypes.includes('anonymous')) {
    const { assertion, claimToken } = await world.anonymous();
    const before = add('of an anonymous registration', assertion);
    const email = world.userEmail();
    const claimed = await claim(claimToken, email);
    if (claimed !== undefined) {
      add('from the claim of an anonymous registration', claimed, { before, email });
    }
  }
  if (identityTypes.includes('service_auth')) {
    const { claimToken, email, ...open } = await world.byEmail(world.userEmail());
    await decideClaim(world, { ...open.claim, email, decision: 'approve' });
    const polled = await pollPatiently(world, claimToken);
    add('of a registration by email', polled.string('identity_assertion'), { email });
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

  async function claim(claimToken: string, email: string): Promise<string | undefined> {
    if (world.facts.claimEndpoint === undefined) return undefined;
    const opened = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...opened, email, decision: 'approve' });
    return (await pollPatiently(world, claimToken)).string('identity_assertion');
  }
}
