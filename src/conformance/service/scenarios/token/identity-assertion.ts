import { JWT_TYPE } from '../../../../protocol/index.ts';
import { isObject } from '../../../http/answer.ts';
import { openJwt, signatureProblem } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

const CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'ver'];
const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];

export const identityAssertion = serviceScenario({
  id: 'identity-assertion',
  title: 'The service signs its assertions, and they say what they have to',
  checks: {
    signed: 'An assertion is a JWT that a key of the published set verifies.',
    algorithm: 'It is signed with an asymmetric algorithm.',
    type: 'Its `typ` is one of its own, not that of an ID-JAG.',
    'own-type': 'Its `typ` is agent-identity+jwt.',
    claims: 'It has the claims of the wire contract.',
    issuer: 'Its `iss` is the issuer as the metadata spells it.',
    audience: 'Its `aud` is the issuer.',
    lifetime: 'It ends after it began, and has not ended.',
    subjects: 'Each registration is a subject of its own, which is no address of a user.',
  },
  async run(judge, world) {
    const { facts } = world;
    const assertion = await someAssertion(world);
    const jwt = openJwt(assertion);
    const isJwt = judge.expect('signed', jwt !== undefined, 'The assertion is none.');
    if (!isJwt || jwt === undefined) return;
    if (facts.jwksUri !== undefined) {
      const set = await world.send(facts.jwksUri);
      const keys = set.member('keys');
      const problem = signatureProblem(jwt, Array.isArray(keys) ? keys.filter(isObject) : []);
      judge.expect('signed', problem === undefined, problem ?? '', { exchange: set.exchange });
    }
    const { header, claims } = jwt;
    judge.expect(
      'algorithm',
      ALGORITHMS.includes(String(header['alg'])),
      `\`alg\` ${String(header['alg'])}`,
      { expected: ALGORITHMS.join(', ') },
    );
    const type = String(header['typ'])
      .replace(/^application\//i, '')
      .toLowerCase();
    judge.expect(
      'type',
      type !== JWT_TYPE.idJag,
      // Kept apart by other rules, it is no danger.
      `\`typ\` ${type}`,
      { warn: true },
    );
    judge.expect('own-type', type === JWT_TYPE.identityAssertion, `\`typ\` ${type}`, {
      expected: JWT_TYPE.identityAssertion,
    });
    const missing = CLAIMS.filter((name) => claims[name] === undefined);
    judge.expect('claims', missing.length === 0, `Without ${missing.join(', ')}.`, {
      expected: CLAIMS.join(', '),
    });
    judge.expect(
      'issuer',
      claims['iss'] === undefined || claims['iss'] === facts.issuer,
      `\`iss\` ${JSON.stringify(claims['iss'])}`,
      { expected: facts.issuer },
    );
    judge.expect(
      'audience',
      claims['aud'] === facts.issuer,
      `\`aud\` ${JSON.stringify(claims['aud'])}`,
      { expected: facts.issuer },
    );
    const { iat, exp } = claims;
    const now = world.time.now() / 1000;
    const isAlive =
      typeof exp === 'number' && exp > now && !(typeof iat === 'number' && iat >= exp);
    judge.expect('lifetime', isAlive, `\`iat\` ${String(iat)}, \`exp\` ${String(exp)}`);
    const second = openJwt(await someAssertion(world))?.claims['sub'];
    const subject = claims['sub'];
    const isOwn = subject !== second && !String(subject).includes('@');
    judge.expect(
      'subjects',
      subject === undefined || isOwn,
      `\`sub\` ${JSON.stringify(subject)}, then ${JSON.stringify(second)}`,
    );
  },
});
