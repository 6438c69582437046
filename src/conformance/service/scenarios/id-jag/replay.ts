import { forgeJwt } from '../../../jwt/forge.ts';
import { makeKey } from '../../../jwt/key.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { malleated } from '../../steps/malleated.ts';
import {
  expectRefused,
  isTaken,
  mustBeTaken,
  NO_OTHER,
  notLimited,
  present,
  presentNew,
  trustsOther,
} from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

const PARALLEL = 50;

export const idJagReplay = serviceScenario({
  id: 'id-jag-replay',
  title: 'An ID-JAG is redeemed once',
  checks: {
    again: 'An ID-JAG that was used is refused.',
    parallel: 'Of many requests with one ID-JAG at the same time, one is answered with success.',
    'other-bytes': 'The same ID-JAG with another valid signature is refused.',
    'same-jti': 'Another ID-JAG with the same jti is refused.',
    'per-issuer': 'Two providers may use the same jti.',
    kept: 'An ID-JAG that was used is refused for as long as it lives.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const used = await mustBeTaken(world);
    const again = await present(world, used.assertion);
    expectRefused(judge, 'again', { what: 'An ID-JAG that was used' }, again);

    const once = await mustBeTaken(world);
    const twin = await present(world, malleated(once.assertion));
    const what = 'A used ID-JAG whose signature (r, s) was turned into (r, n - s)';
    expectRefused(judge, 'other-bytes', { what }, twin);

    const jti = openJwt(once.assertion)?.claims['jti'];
    const other = await presentNew(world, { claims: { jti } });
    expectRefused(judge, 'same-jti', { what: 'Another ID-JAG with a used jti' }, other.answer);

    const raced = world.idJag(world.freshSubject());
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => world.client.registerByIdJag(raced)),
    );
    const taken = answers.map(notLimited).filter(isTaken);
    judge.expect('parallel', taken.length === 1, `${taken.length} of them succeeded.`, {
      expected: `one of ${PARALLEL} requests with one ID-JAG succeeds`,
      exchange: taken[1]?.exchange ?? answers[0]?.exchange,
    });

    if (await trustsOther(world)) {
      const { provider, other: second } = world.providers;
      const shared = provider.unique('jag');
      await mustBeTaken(world, { claims: { jti: shared } });
      const { answer } = await presentNew(world, { claims: { jti: shared } }, second);
      judge.expect('per-issuer', isTaken(answer), answer);
    } else {
      judge.skip('per-issuer', NO_OTHER);
    }

    const late = await mustBeTaken(world);
    await world.time.pass(4 * 60_000);
    // Something else is done in between, which is when services tidy up.
    await mustBeTaken(world);
    const afterMinutes = await present(world, late.assertion);
    expectRefused(judge, 'kept', { what: 'An ID-JAG that was used 4 minutes ago' }, afterMinutes);
  },
});

/** What can be mended: the ID-JAG that is right in the end has the jti of the one that was refused. */
const curable = (elsewhere: string): readonly (readonly [what: string, options: MintOptions])[] => [
  ['another audience', { claims: { aud: `https://${elsewhere}` } }],
  ['an address that is not verified', { claims: { email_verified: false } }],
  ['no auth_time', { claims: { auth_time: undefined } }],
  ['an nbf to come', { claims: { nbf: 4_000_000_000 } }],
];

export const idJagCurable = serviceScenario({
  id: 'id-jag-curable',
  title: 'A refusal uses nothing up',
  checks: {
    'forged-burns-nothing': 'A forged ID-JAG does not use up the jti of the right one.',
    'refused-burns-nothing': 'An ID-JAG that was refused for a claim does not use up its jti.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    const { provider } = world.providers;
    const whom = world.freshSubject();
    const jti = provider.unique('jag');
    const right = openJwt(world.idJag(whom, { claims: { jti } }));
    if (right === undefined) throw new TypeError('The provider minted no JWT.');
    await present(world, forgeJwt(right.header, right.claims, makeKey()));
    const after = await present(world, forgeJwt(right.header, right.claims, provider.keys[0]));
    judge.expect('forged-burns-nothing', isTaken(after), after);
    for (const [what, options] of curable(world.elsewhere)) {
      const id = provider.unique('jag');
      const subject = world.freshSubject();
      const wrong = { ...options, claims: { ...options.claims, jti: id } };
      const refused = await present(world, world.idJag(subject, wrong));
      if (isTaken(refused)) continue;
      const answer = await present(world, world.idJag(subject, { claims: { jti: id } }));
      judge.expect('refused-burns-nothing', isTaken(answer), answer, {
        expected: `a right ID-JAG is taken after one with its jti and ${what} was refused`,
      });
    }
  },
});
