import { JWT_TYPE } from '../../../../protocol/index.ts';
import { shown } from '../../../engine/judge.ts';
import { is, isNumber, member } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { hasMac, openJwt, signatureProblem } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

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
