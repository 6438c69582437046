import { SECOND } from '../../../../protocol/index.ts';
import { CannotTest, type Judge, judgePart, NotApplicable } from '../../../engine/judge.ts';
import {
  errorCode,
  isNumber,
  isText,
  matches,
  member,
  refused,
  status,
} from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import type { TargetTime } from '../../../target/target-time.ts';
import { secondsLeft, toldEnd } from '../../claim-block.ts';
import { whyNoResource } from '../../service-client.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { isGranted, noRefreshToken } from '../../steps/answers.ts';
import { mustOpen } from '../../steps/controls.ts';
import { fullIdentity } from '../../steps/new-registration.ts';
import { decideClaim, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

/** What is judged at its time. */
interface Part<Name extends string> {
  /** Milliseconds since the epoch, as the target sees it. */
  readonly at: number;
  /** Left, with the reason, where its time cannot be waited for. */
  readonly checks: Name | readonly Name[];
  readonly run: () => Promise<void>;
}

/** Judges each part when its time has come, the earliest first: none is hidden behind a longer wait. */
export async function judgeInTime<Name extends string>(
  judge: Judge<Name>,
  time: TargetTime,
  parts: readonly Part<Name>[],
): Promise<void> {
  for (const { at, checks, run } of [...parts].sort((one, other) => one.at - other.at)) {
    await judgePart(judge, checks, async () => {
      await time.passTo(at);
      await run();
    });
  }
}

/** How far beyond its end something is over, whatever the clocks. */
const MARGIN = 5 * SECOND;
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
function afterEnd<Name extends string>(
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

const HOUR_S = 3600;

export const claimedToken = serviceScenario({
  id: 'claimed-token',
  title: 'What a claim brings is limited, revoked and over as what came before it',
  checks: {
    'token-type': 'The poll that delivers a claim has the token_type Bearer, in any case.',
    members: 'The poll that delivers a claim has expires_in and scope.',
    'short-lived': 'The `expires_in` of a token from a claim is at most 3600.',
    'no-refresh-token': 'A claim brings no `refresh_token`.',
    revocable: 'An access token from a claim can be revoked, and one for its assertion too.',
    'stays-revoked': 'A revoked token stays dead when another one is given.',
    expires: 'An access token from a claim is answered 401 once its expires_in is over.',
    'assertion-expires': 'The assertion from a claim is refused once its exp is over.',
  },
  resting: {
    'exchange.token-type': ['token-type'],
    'exchange.expires-in': ['members'],
    'exchange.scope': ['members'],
    'exchange.short-lived': ['short-lived'],
    'exchange.no-refresh-token': ['no-refresh-token'],
    'revocation.at-once': ['revocable', 'stays-revoked'],
    'claimed-token.revocable': ['stays-revoked'],
    'token-expiry.token-over': ['expires'],
    'token-expiry.assertion-over': ['assertion-expires'],
  },
  costly: true,
  async run(judge, world) {
    const { client, facts, time } = world;
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const polled = await pollPatiently(world, claimToken);
    const token = world.must(polled, 'access_token', 'a completed claim');
    const assertion = world.must(polled, 'identity_assertion', 'a completed claim');
    judge.table(polled, {
      'token-type': member('token_type', matches(/^bearer$/i)),
      members: [
        member('expires_in', (seconds) => isNumber(seconds) && seconds > 0),
        member('scope', isText),
      ],
      'short-lived': member('expires_in', (seconds) => !isNumber(seconds) || seconds <= HOUR_S),
      'no-refresh-token': noRefreshToken,
    });
    if (facts.resource === undefined) {
      const none = whyNoResource(facts);
      judge.skip(['revocable', 'stays-revoked', 'expires'], none.reason, none);
    } else {
      await judgeRevocation();
    }
    const ends = [await tokenEnd(), assertionEnd()].filter((each) => each !== undefined);
    await judgeInTime(judge, time, ends);

    async function judgeRevocation(): Promise<void> {
      if (facts.revocationEndpoint === undefined) {
        const reason = "The service's metadata names no revocation_endpoint.";
        return judge.skip(['revocable', 'stays-revoked'], reason);
      }
      const tokens = [token, await world.accessToken(assertion)];
      for (const each of tokens) {
        await mustOpen(world, each);
        await client.revoke(each);
        if (!judge.table(await client.call(each), { revocable: status(401) })) return;
      }
      const again = await client.exchange(assertion);
      if (!isGranted(again)) {
        return judge.skip('stays-revoked', 'No further token is given after a revocation.');
      }
      for (const each of tokens) {
        judge.table(await client.call(each), { 'stays-revoked': status(401) });
      }
    }

    async function tokenEnd(): Promise<Part<'expires'> | undefined> {
      if (facts.resource === undefined) return undefined;
      const other = await openClaim(world, world.userEmail());
      await decideClaim(world, { ...other.claim, email: other.email, decision: 'approve' });
      const delivered = await pollPatiently(world, other.claimToken);
      const lifetime = delivered.member('expires_in');
      const late = world.must(delivered, 'access_token', 'a completed claim');
      if (!isNumber(lifetime)) {
        judge.skip('expires', 'The poll does not say in expires_in when its token expires.');
        return undefined;
      }
      const run = async () => void judge.table(await client.call(late), { expires: status(401) });
      return { at: time.now() + lifetime * SECOND + MARGIN, checks: 'expires', run };
    }

    function assertionEnd(): Part<'assertion-expires'> | undefined {
      const end = openJwt(assertion)?.claims['exp'];
      if (!isNumber(end)) {
        const reason = 'The assertion does not say in exp when it expires.';
        judge.skip('assertion-expires', reason);
        return undefined;
      }
      const judgeLate = (late: Answer) => void judge.table(late, { 'assertion-expires': refused });
      return afterEnd(world, { assertion, end: end * SECOND }, 'assertion-expires', judgeLate);
    }
  },
});
