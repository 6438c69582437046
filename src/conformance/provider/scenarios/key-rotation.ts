import { NotApplicable } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import { signatureProblem } from '../../jwt/open.ts';
import { providerScenario } from '../provider-scenario.ts';

/** Between publishing a key and signing with it. Milliseconds. */
const LEAD = 300_000;

export const keyRotation = providerScenario({
  id: 'key-rotation',
  title: 'The provider changes its signing key',
  checks: {
    'published-before-use': 'A new key is published before anything is signed with it.',
    verifiable: 'What is signed before and after the change is by a key of the published set.',
    'old-key-kept': 'The old key stays published while what it signed is good.',
  },
  async run(judge, world) {
    const { control } = world;
    if (control === undefined) {
      throw new NotApplicable('Nobody can tell the provider to change its key: see --control.');
    }
    const audience = world.audience().issuer;
    const session = await world.session();
    const before = await world.idJag(session, audience);
    const old = kidsOf(await world.keySet());
    await control.rotate(LEAD);
    const during = await world.keySet();
    const fresh = kidsOf(during).filter((kid) => !old.includes(kid));
    const early = world.open(await world.idJag(session, audience));
    const signsEarly =
      typeof early.header['kid'] === 'string' && !old.includes(early.header['kid']);
    judge.expect(
      'published-before-use',
      fresh.length > 0 && !signsEarly,
      `${fresh.length} new keys, and an ID-JAG by the key ${String(early.header['kid'])}`,
    );
    await world.time.pass(LEAD + 1000);
    const after = await world.idJag(session, audience);
    const now = await world.keySet();
    const problem = signatureProblem(world.open(after), now);
    judge.expect('verifiable', problem === undefined, problem ?? '');
    const lost = signatureProblem(world.open(before), now);
    judge.expect('old-key-kept', lost === undefined, lost ?? '');
  },
});

function kidsOf(keys: readonly unknown[]): readonly string[] {
  return keys.filter(isObject).flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
}
