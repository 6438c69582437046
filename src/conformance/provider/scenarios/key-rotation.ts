import { type Judge, judgePart, NeedsOption, shown } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import type { OpenedJwt } from '../../jwt/open.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
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
    'still-minted': 'A sign-in from before the rotation still gets ID-JAGs after it.',
  },
  restsOn: { verifiable: 'key-rotation.still-minted' },
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
    // The keys are judged where nothing can be minted, too.
    const minting = await mintingOf(judge, world);
    const old = kidsOf(await world.keySet());
    await control.rotate(LEAD);
    const during = await world.keySet();
    const fresh = kidsOf(during).filter((kid) => !old.includes(kid));
    const early = await minting?.again();
    const earlyKid = early?.header['kid'];
    const signsEarly = typeof earlyKid === 'string' && !old.includes(earlyKid);
    const by = early === undefined ? '' : `, and an ID-JAG by the key ${shown(earlyKid)}`;
    const isPublished = fresh.length > 0 && !signsEarly;
    judge.expect('published-before-use', isPublished, `${fresh.length} new keys${by}`);
    await world.time.pass(LEAD + 1000);
    const now = await world.keySet();
    for (const keys of [during, now]) {
      const isKept = { ok: kidsOf(keys).some((kid) => old.includes(kid)), seen: 'new keys alone' };
      judge.table(keys, {
        'old-key-kept': minting === undefined ? isKept : signedBy(minting.before, keys),
      });
    }
    const after = await minting?.again();
    if (after !== undefined) judge.table(now, { verifiable: signedBy(after, now) });
    else judge.untestable('verifiable', 'Nothing was minted after the rotation.');
  },
});

interface Minting {
  /** What the old key has signed. */
  readonly before: OpenedJwt;
  /** One more ID-JAG by the sign-in from before the rotation; undefined where that is refused. */
  again(): Promise<OpenedJwt | undefined>;
}

/** Undefined where nothing is minted before the rotation either. */
async function mintingOf(
  judge: Judge<'verifiable' | 'still-minted'>,
  world: ProviderWorld,
): Promise<Minting | undefined> {
  let minting: Minting | undefined;
  await judgePart(judge, ['verifiable', 'still-minted'], async () => {
    const audience = world.audience().issuer;
    const session = await world.session();
    const before = world.open(await world.idJag(session, audience));
    const again = async () => {
      const answer = await world.mintWithConsent(session, audience);
      const token = answer.string('access_token');
      judge.expect('still-minted', token !== undefined, answer);
      return token === undefined ? undefined : world.open(token);
    };
    minting = { before, again };
  });
  return minting;
}

function kidsOf(keys: readonly unknown[]): readonly string[] {
  return keys.filter(isObject).flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
}
