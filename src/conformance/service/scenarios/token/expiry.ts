import { SECOND } from '../../../../protocol/index.ts';
import { CannotTest, judgePart, NotApplicable } from '../../../engine/judge.ts';
import { errorCode, refused, status } from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { judgeInTime, type Part } from '../../../target/timeline.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { mustOpen } from '../../steps/controls.ts';
import { fullIdentity } from '../../steps/new-registration.ts';
import { secondsLeft, toldEnd } from '../../told-end.ts';

/** How far beyond its end something is over, whatever the clocks. */
export const MARGIN = 5 * SECOND;
/** The same of an assertion, for which clocks may differ by a minute (RFC 7523 §3). */
const SKEW = 60 * SECOND + MARGIN;

const CHECKS = {
  'still-good': 'A token is taken until shortly before it expires.',
  'token-over': 'An expired token is answered with 401.',
  'assertion-over': 'An expired assertion is refused.',
  'assertion-code': 'An expired assertion is answered invalid_grant.',
};

type Check = keyof typeof CHECKS;

export const expiry = serviceScenario({
  id: 'token-expiry',
  title: 'Tokens and assertions expire when they say',
  checks: CHECKS,
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client, time } = world;
    const { assertion, answer } = await fullIdentity(world);
    const granted = await client.exchange(assertion);
    const issued = time.now();
    const token = world.must(granted, 'access_token', 'an exchange');
    const lifetime = lifetimeOf(token, granted, issued);
    const assertionEnd = endOf(assertion, answer, issued);
    const parts: Part<Check>[] = [];
    await judgePart(judge, ['still-good', 'token-over'], async () => {
      if (lifetime !== undefined) parts.push(...(await tokenParts(lifetime)));
      else
        throw new NotApplicable(
          'Neither the answer (expires_in) nor its token (exp) says when it expires.',
        );
    });
    if (assertionEnd === undefined) {
      const reason = 'Neither the assertion (exp) nor its answer says when it expires.';
      judge.skip(['assertion-over', 'assertion-code'], reason);
    } else {
      const ended = { assertion, end: assertionEnd };
      parts.push(afterEnd(world, ended, ['assertion-over', 'assertion-code'], judgeAssertionOver));
    }
    await judgeInTime(judge, time, parts);

    async function tokenParts(seconds: number): Promise<readonly Part<Check>[]> {
      const fresh = (await mustOpen(world, token)).status;
      const end = issued + seconds * SECOND;
      // Of a token that lives for seconds, the last of them.
      const before = Math.min(2 * MARGIN, (seconds * SECOND) / 4);
      const judgeStillGood = async () => {
        const late = await client.call(token);
        if (time.now() > end - SECOND) {
          throw new CannotTest('The token had expired before the suite could use it again.');
        }
        const expected = `${fresh} ${before / SECOND} s before it expires, as at first`;
        judge.table(late, { 'still-good': status(fresh) }, { expected });
      };
      return [
        { at: end - before, checks: 'still-good', run: judgeStillGood },
        { at: end + MARGIN, checks: 'token-over', run: judgeTokenOver },
      ];
    }

    async function judgeTokenOver(): Promise<void> {
      const expired = await client.call(token);
      judge.table(expired, { 'token-over': status(401) });
    }

    function judgeAssertionOver(late: Answer): void {
      judge.table(late, {
        'assertion-over': refused,
        'assertion-code': errorCode('invalid_grant'),
      });
    }
  },
});

/** Judges what an assertion is answered after its end: late, or where that takes too long as soon as it is refused. */
export function afterEnd<Name extends string>(
  { client, time }: ServiceWorld,
  { assertion, end }: { readonly assertion: string; readonly end: number },
  checks: Part<Name>['checks'],
  judgeLate: (answer: Answer) => void,
): Part<Name> {
  const exchange = () => client.exchange(assertion);
  const isOver = (answer: Answer) => !isGranted(answer);
  return {
    at: Math.max(end + MARGIN, time.now() + time.most(end + SKEW - time.now())),
    checks,
    run: async () => {
      const limit = time.now() < end + SKEW ? SKEW : 0;
      judgeLate(await time.askUntil(limit, exchange, isOver, end));
    },
  };
}

/** Seconds: as the answer says or, where it does not, the token itself. */
function lifetimeOf(token: string, granted: Answer, now: number): number | undefined {
  const told = isObject(granted.json) ? secondsLeft(granted.json, now) : undefined;
  const exp = openJwt(token)?.claims['exp'];
  return told ?? (typeof exp === 'number' ? Math.round(exp - now / SECOND) : undefined);
}

/** Milliseconds since the epoch: as the assertion says itself or, of an opaque one, as its answer says. */
function endOf(assertion: string, answer: Answer, now: number): number | undefined {
  const exp = openJwt(assertion)?.claims['exp'];
  return typeof exp === 'number' ? exp * SECOND : toldEnd(answer, 'assertion_expires', { now });
}
