import { NeedsOption, shown } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import { signedBy } from '../steps/rows.ts';

/** Between publishing a key and signing with it. Milliseconds. */
const LEAD = 300_000;

export const keyRotation = providerScenario({
  id: 'key-rotation',
  title: 'The provider rotates its signing key',
  checks: {
    'published-before-use': 'A new key is published before it signs.',
    verifiable: 'After the rotation an ID-JAG is signed by a key of the published key set.',
    'old-key-kept': 'The old key stays published while its ID-JAGs are valid.',
  },
  blockedBy: ['mint.minted'],
  costly: true,
  async run(judge, world) {
    const { control } = world;
    if (control === undefined) {
      throw new NeedsOption(
        'Only a control API can rotate the keys of the provider: name it with --control.',
        '--control',
      );
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
    const isPublished = fresh.length > 0 && !signsEarly;
    const seen = `${fresh.length} new keys, and an ID-JAG by the key ${shown(early.header['kid'])}`;
    judge.expect('published-before-use', isPublished, seen);
    await world.time.pass(LEAD + 1000);
    const after = await world.idJag(session, audience);
    const now = await world.keySet();
    judge.table(now, { verifiable: signedBy(world.open(after), now) });
    judge.table(now, { 'old-key-kept': signedBy(world.open(before), now) });
  },
});

function kidsOf(keys: readonly unknown[]): readonly string[] {
  return keys.filter(isObject).flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
}
