import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { isGranted, pollPatiently } from '../../steps/polls.ts';

const PARALLEL = 20;
/** Well within, and well beyond, the ten minutes of the wire contract. */
const [WITHIN, BEYOND] = [5 * MINUTE, 6 * MINUTE];

const AFTER = [
  'parallel',
  'one-token',
  'redelivered',
  'same-assertion',
  'assertion-expires',
  'over',
  'lasting',
] as const;

export const collection = serviceScenario({
  id: 'collection',
  title: 'A claim is completed while nobody polls, then collected, more than once',
  checks: {
    away: 'A claim that was completed while nobody polled is delivered by the next poll.',
    parallel: 'Polls at the same moment deliver one and the same assertion, or one of them does.',
    'one-token': 'Of the access tokens of repeated polls the latest alone lives.',
    redelivered: 'A poll within the redelivery time delivers again.',
    'same-assertion': 'It delivers the same assertion: same id, same times.',
    'assertion-expires': 'With the assertion comes assertion_expires, in agreement with it.',
    over: 'After the redelivery time a poll is answered invalid_grant.',
    lasting: 'The delivered assertion outlives the access token that came with it.',
  },
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken, email } = await world.byEmail();
    await letClaim(world, { ...claim, email, decision: 'approve' });
    await time.pass((claim.expiresIn ?? 600) * SECOND + MINUTE);

    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => client.poll(claimToken)),
    );
    const granted = answers.filter(isGranted);
    judge.expect('away', granted.length > 0, answers[0] ?? 'no answer');
    const [first] = granted;
    if (first === undefined) return judge.skip(AFTER, 'Nothing could be collected.');
    const ids = new Set(granted.map((answer) => assertionOf(answer)?.claims['jti']));
    judge.expect(
      'parallel',
      ids.size === 1,
      `${ids.size} different assertions by ${PARALLEL} polls`,
      { exchange: first.exchange },
    );
    const expires = Date.parse(first.string('assertion_expires') ?? '');
    const exp = Number(assertionOf(first)?.claims['exp']);
    judge.expect('assertion-expires', Math.abs(expires / 1000 - exp) < 2, first);

    await time.pass(WITHIN);
    const again = await pollPatiently(world, claimToken);
    judge.expect('redelivered', isGranted(again), again);
    if (isGranted(again)) {
      judge.expect('same-assertion', timesOf(again) === timesOf(first), timesOf(again), {
        expected: `the assertion with ${timesOf(first)}`,
        exchange: again.exchange,
      });
      await livingToken([...granted, again]);
    } else {
      judge.skip(['same-assertion', 'one-token'], 'The service delivers a claim once.');
    }
    await time.pass(BEYOND);
    const late = await pollPatiently(world, claimToken);
    judge.expect('over', late.errorCode === 'invalid_grant', late);

    const lifetime = first.member('expires_in');
    await time.pass(typeof lifetime === 'number' ? lifetime * SECOND : 0);
    const exchanged = await client.exchange(first.string('identity_assertion') ?? '');
    judge.expect('lasting', isGranted(exchanged), exchanged);

    /** The last one delivered has to be good, every other dead. */
    async function livingToken(delivered: readonly Answer[]): Promise<void> {
      if (world.facts.resource === undefined) {
        return judge.skip('one-token', 'No protected address is known.');
      }
      const tokens = [...new Set(delivered.map((answer) => answer.string('access_token') ?? ''))];
      let living = 0;
      for (const token of tokens) {
        if ((await client.call(token)).status !== 401) living += 1;
      }
      judge.expect('one-token', living === 1, `${living} of ${tokens.length} are`);
    }
  },
});

function assertionOf(answer: Answer): OpenedJwt | undefined {
  return openJwt(answer.string('identity_assertion') ?? '');
}

function timesOf(answer: Answer): string {
  const { jti, iat, exp } = assertionOf(answer)?.claims ?? {};
  return `jti ${String(jti)}, iat ${String(iat)}, exp ${String(exp)}`;
}
