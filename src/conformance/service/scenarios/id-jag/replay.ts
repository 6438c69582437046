import { MINUTE } from '../../../../protocol/index.ts';
import { refused } from '../../../engine/rows.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-world.ts';
import { notLimited } from '../../steps/answers.ts';
import { deliver, mustEndByEvents } from '../../steps/deliver-event.ts';
import {
  accepted,
  expectIdJagRefused,
  isAccepted,
  mustBeAccepted,
  NO_OTHER,
  present,
  presentNew,
  trustsOther,
} from '../../steps/present-id-jag.ts';

const PARALLEL = 50;

export const idJagReplay = serviceScenario({
  id: 'id-jag-replay',
  title: 'An ID-JAG is accepted once',
  checks: {
    again: 'An ID-JAG that was used is refused.',
    parallel: 'Of many requests with one ID-JAG at the same time, one succeeds.',
    'other-bytes': 'The same ID-JAG with another valid signature, (r, n - s), is refused.',
    'same-jti': 'Another ID-JAG with the same jti is refused.',
    'per-issuer': 'Two providers may use the same jti.',
    kept: 'An ID-JAG that was used is refused for as long as it is valid.',
  },
  resting: { 'id-jag-replay.again': ['parallel', 'other-bytes', 'same-jti', 'kept'] },
  costly: true,
  waits: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const used = await mustBeAccepted(world);
    expectIdJagRefused(judge, 'again', await present(world, used.assertion));

    const once = await mustBeAccepted(world);
    const twin = withOtherSignature(once.assertion);
    expectIdJagRefused(judge, 'other-bytes', await present(world, twin));
    const jti = openJwt(once.assertion)?.claims['jti'];
    const other = await presentNew(world, { claims: { jti } });
    expectIdJagRefused(judge, 'same-jti', other.answer);

    const raced = world.idJag(world.freshSubject());
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => world.client.registerByIdJag(raced)),
    );
    const successes = answers.map(notLimited).filter(isAccepted);
    const seen = `${successes.length} of ${PARALLEL} requests succeeded.`;
    const { exchange } = successes[1] ?? answers[0] ?? {};
    judge.expect('parallel', successes.length === 1, seen, { exchange });

    if (await trustsOther(world)) {
      const { provider, other: second } = world.providers;
      const shared = { claims: { jti: provider.unique('jag') } };
      await mustBeAccepted(world, shared);
      const { answer } = await presentNew(world, shared, second);
      judge.table(answer, { 'per-issuer': accepted });
    } else {
      judge.skip('per-issuer', NO_OTHER);
    }

    const late = await mustBeAccepted(world);
    await world.time.pass(4 * MINUTE);
    // Services clean up when something else happens in between.
    await mustBeAccepted(world);
    const again = await present(world, late.assertion);
    expectIdJagRefused(judge, 'kept', again, 'after 4 minutes');
  },
});

/** The order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The same ES256 token with the other valid signature: (r, s) and (r, n - s) verify alike. */
function withOtherSignature(token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex');
  const twin = Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
  return `${header}.${claims}.${twin}`;
}

const TOGETHER = 6;

export const idJagRaces = serviceScenario({
  id: 'id-jag-races',
  title: 'Several ID-JAGs of one new user arrive at the same time',
  checks: {
    'ended-by-one': 'One event ends each assertion that they brought.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const whom = world.freshSubject();
    const idJags = Array.from({ length: TOGETHER }, () => world.idJag(whom));
    const answers = await Promise.all(idJags.map((idJag) => present(world, idJag)));
    const given = answers.filter((answer) => answer.string('identity_assertion') !== undefined);
    if (given.length === 0) {
      return judge.skip('ended-by-one', 'None of them was answered with an assertion.');
    }
    await mustEndByEvents(world);
    await deliver(world, world.revokedEvent(whom.subject));
    for (const answer of given) {
      const late = await world.client.exchange(answer.string('identity_assertion') ?? '');
      judge.table(late, { 'ended-by-one': refused });
    }
  },
});
