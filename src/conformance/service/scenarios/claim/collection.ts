import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import { errorCode } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { NO_RESOURCE } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, isGranted, shownBy } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

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

/** What is read in the assertion. */
const READ = ['parallel', 'same-assertion', 'assertion-expires'] as const;

export const collection = serviceScenario({
  id: 'collection',
  title: 'A claim is completed while nobody polls, then collected, more than once',
  checks: {
    away: 'A claim that was completed while nobody polled is delivered by the next poll.',
    parallel: 'Polls at the same time deliver one assertion: the same to each, or to one of them.',
    'one-token': 'Of the access tokens of repeated polls only the latest works.',
    redelivered: 'A poll within the redelivery time delivers again.',
    'same-assertion': 'A repeated poll delivers the same assertion: the same jti, iat and exp.',
    'assertion-expires': 'The assertion_expires of a poll is the exp of its assertion.',
    over: 'After the redelivery time a poll is answered invalid_grant.',
    lasting: 'The delivered assertion outlives the access token that came with it.',
  },
  costly: true,
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    await time.pass((claim.expiresIn ?? 600) * SECOND + MINUTE);

    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => client.poll(claimToken)),
    );
    const deliveries = answers.filter(isGranted);
    judge.expect('away', deliveries.length > 0, answers[0] ?? 'no answer');
    const [first] = deliveries;
    if (first === undefined) return judge.skip(AFTER, 'Nothing could be collected.');
    const isReadable = assertionOf(first) !== undefined;
    if (isReadable) judgeAssertions(first);
    else judge.skip(READ, 'The assertion of the service is no JWT.');

    await time.pass(WITHIN);
    const again = await pollPatiently(world, claimToken);
    if (judge.table(again, { redelivered: granted })) {
      const [before, after] = [timesOf(first), timesOf(again)];
      const { exchange } = again;
      if (isReadable) {
        judge.expect('same-assertion', after === before, `${after} after ${before}`, { exchange });
      }
      await judgeTokens([...deliveries, again]);
    } else {
      judge.skip(['same-assertion', 'one-token'], 'The service delivers a claim once.');
    }
    await time.pass(BEYOND);
    judge.table(await pollPatiently(world, claimToken), { over: errorCode('invalid_grant') });

    const lifetime = first.member('expires_in');
    await time.pass(typeof lifetime === 'number' ? lifetime * SECOND : 0);
    const exchanged = await client.exchange(first.string('identity_assertion') ?? '');
    judge.table(exchanged, { lasting: granted });

    function judgeAssertions(first: Answer): void {
      const ids = new Set(deliveries.map((answer) => assertionOf(answer)?.claims['jti']));
      const different = `${ids.size} different assertions by ${PARALLEL} polls`;
      judge.expect('parallel', ids.size === 1, different, shownBy(first));
      const expires = Date.parse(first.string('assertion_expires') ?? '');
      const exp = Number(assertionOf(first)?.claims['exp']);
      judge.expect('assertion-expires', Math.abs(expires / 1000 - exp) < 2, first);
    }

    /** The last one delivered has to work, and no other. */
    async function judgeTokens(delivered: readonly Answer[]): Promise<void> {
      if (world.facts.resource === undefined) {
        return judge.skip('one-token', NO_RESOURCE.reason, NO_RESOURCE);
      }
      const tokens = [...new Set(delivered.map((answer) => answer.string('access_token') ?? ''))];
      let working = 0;
      for (const token of tokens) {
        if ((await client.call(token)).status !== 401) working += 1;
      }
      judge.expect('one-token', working === 1, `${working} of ${tokens.length} tokens work`);
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
