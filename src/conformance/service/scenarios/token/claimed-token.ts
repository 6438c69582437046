import { SECOND } from '../../../../protocol/index.ts';
import { isNumber, isText, matches, member, refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { judgeInTime, type Part } from '../../../target/timeline.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, noRefreshToken } from '../../steps/answers.ts';
import { mustOpen } from '../../steps/controls.ts';
import { decideClaim, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { afterEnd, MARGIN } from './expiry.ts';

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
  restsOn: {
    'token-type': 'exchange.token-type',
    members: ['exchange.expires-in', 'exchange.scope'],
    'short-lived': 'exchange.short-lived',
    'no-refresh-token': 'exchange.no-refresh-token',
    revocable: 'revocation.at-once',
    'stays-revoked': ['revocation.at-once', 'claimed-token.revocable'],
    expires: 'token-expiry.token-over',
    'assertion-expires': 'token-expiry.assertion-over',
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
