import { makeKey, type TestKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isTaken, presentNew, publish } from '../../steps/present-id-jag.ts';

export const idJagAlgorithms = serviceScenario({
  id: 'id-jag-algorithms',
  title: 'ID-JAGs are taken in each algorithm of the wire contract',
  checks: {
    others: 'ID-JAGs signed with EdDSA, RS256 and PS256 are taken.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const rsa = makeKey('RS256');
    const keys = [makeKey('EdDSA'), rsa, forPss(rsa)];
    await publish(
      world,
      keys.map(({ jwk }) => jwk),
      makeKey(),
    );
    for (const key of keys) {
      const { answer } = await presentNew(world, { key });
      judge.expect('others', isTaken(answer), answer, {
        expected: `an ID-JAG signed with ${key.algorithm} is taken`,
      });
    }
  },
});

/** The same numbers under another name: making RSA keys takes its time. */
function forPss(key: TestKey): TestKey {
  const kid = `${key.kid}-pss`;
  return { ...key, algorithm: 'PS256', kid, jwk: { ...key.jwk, kid, alg: 'PS256' } };
}
