import { makeKey, type TestKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { expectEachAccepted } from '../../steps/present-id-jag.ts';
import { publishKeys } from '../../steps/publish-keys.ts';

export const idJagAlgorithms = serviceScenario({
  id: 'id-jag-algorithms',
  title: 'ID-JAGs are accepted in each algorithm of the wire contract',
  checks: {
    others: 'ID-JAGs signed with EdDSA, RS256 and PS256 are accepted.',
  },
  waits: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const rsa = makeKey('RS256');
    const keys = [makeKey('EdDSA'), rsa, forPss(rsa)];
    const published = keys.map(({ jwk }) => jwk);
    await publishKeys(world, published, makeKey());
    const variants = keys.map((key) => ['others', key.algorithm, { key }] as const);
    await expectEachAccepted(judge, world, variants);
  },
});

/** The same numbers under another name: making RSA keys takes its time. */
function forPss(key: TestKey): TestKey {
  const kid = `${key.kid}-pss`;
  return { ...key, algorithm: 'PS256', kid, jwk: { ...key.jwk, kid, alg: 'PS256' } };
}
