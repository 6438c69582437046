import { CannotTest } from '../../../engine/judge.ts';
import { refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { makeOwner } from '../../steps/account-access.ts';
import { granted, isGranted, notGranted } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { askOwner, confirm } from '../../steps/confirmation.ts';
import { deliver, mustEndByEvents } from '../../steps/deliver-event.ts';
import { approveAt } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { isRegistered, present } from '../../steps/present-id-jag.ts';

const WORTHLESS = 'What it delivered is worth nothing: neither its token nor its assertion works.';

export const eventConfirmed = serviceScenario({
  id: 'event-confirmed',
  title: 'A link that its owner confirmed is revoked, and confirmed anew',
  checks: {
    'assertion-ended': 'An event ends the assertion that a confirmation brought.',
    'tokens-ended': 'An event ends each access token of a confirmed link.',
    'not-delivered': 'A poll delivers nothing once an event has ended the confirmed link.',
    'not-reopened': 'The claim token of an ended link opens no attempt.',
    'asked-anew': 'The next ID-JAG of the subject asks the owner again.',
    'stays-ended':
      'Once the owner has confirmed the next link, assertion and tokens of the ended one stay dead.',
  },
  resting: { 'event-confirmed.assertion-ended': ['stays-ended'] },
  blockedBy: ['event-revocation.assertion-ended'],
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client } = world;
    const { email } = await makeOwner(world);
    const subject = { ...world.freshSubject(), email };
    // Both lie in the past, so that the next ID-JAG is newer without a wait.
    const ago = (seconds: number) => Math.floor(world.time.now() / 1000) - seconds;
    const earlier = { claims: { iat: ago(30), auth_time: ago(40) } };
    const first = await confirm(world, await askOwner(world, subject, earlier), email);
    const tokens = [first.token, await world.accessToken(first.assertion)];

    await deliver(world, world.revokedEvent(subject.subject, { claims: { iat: ago(10) } }));
    const exchanged = await client.exchange(first.assertion);
    if (!judge.table(exchanged, { 'assertion-ended': refused })) {
      throw new CannotTest('The event ended nothing.');
    }
    const areDead = await judgeTokens('tokens-ended');
    const polled = await pollPatiently(world, first.claimToken);
    const reading = (await isWorth(world, polled)) ? undefined : WORTHLESS;
    judge.table(polled, { 'not-delivered': notGranted }, { reading });
    await reopen();

    let next = await present(world, world.idJag(subject));
    if (!isRegistered(next)) {
      // A service that counts from the arrival of the event takes none of the same second.
      await world.time.pass(2_000);
      next = await present(world, world.idJag(subject));
    }
    if (!judge.expect('asked-anew', !next.ok, next)) return;
    const second = await confirm(world, await askOwner(world, subject), email);
    const good = await client.exchange(second.assertion);
    if (!isGranted(good)) {
      throw new CannotTest(`The next link gives no token either (${good.describe()}).`);
    }
    const after = { case: 'the assertion, once the next link is confirmed' };
    judge.table(await client.exchange(first.assertion), { 'stays-ended': refused }, after);
    if (areDead) await judgeTokens('stays-ended');

    async function judgeTokens(name: 'tokens-ended' | 'stays-ended'): Promise<boolean> {
      if (world.facts.resource === undefined) return false;
      let areDead = true;
      for (const token of tokens) {
        areDead = judge.table(await client.call(token), { [name]: status(401) }) && areDead;
      }
      return areDead;
    }

    /** The owner approves whatever the claim token still opens: what comes of it is judged below. */
    async function reopen(): Promise<void> {
      const started = await client.startClaim(first.claimToken, email);
      judge.table(started, { 'not-reopened': refused });
      const claim = readClaimBlock(started);
      if (claim === undefined) return;
      await approveAt(world, claim, email);
      const late = await client.exchange(first.assertion);
      judge.table(late, { 'stays-ended': refused }, { case: 'once it was claimed again' });
    }
  },
});

export const eventUnconfirmed = serviceScenario({
  id: 'event-unconfirmed',
  title: 'An ID-JAG is revoked while its owner is asked, or before the agent has collected',
  checks: {
    'asked-before': 'Of a link that was revoked while its owner was asked, nothing is delivered.',
    'approved-before':
      'Of a link that was revoked before the agent collected it, nothing is delivered.',
  },
  blockedBy: ['event-revocation.assertion-ended'],
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustEndByEvents(world);
    const { email } = await makeOwner(world);
    const ask = async () => {
      const subject = { ...world.freshSubject(), email };
      const { claim, claimToken } = await askOwner(world, subject);
      const session = await ClaimPageSession.open(world, claim, email);
      return {
        claimToken,
        revoke: () => deliver(world, world.revokedEvent(subject.subject)),
        approve: () => session.approve(claim.userCode),
      };
    };
    // One that nobody revokes: otherwise nothing was kept back.
    const control = await ask();
    await control.approve();
    const collected = await pollPatiently(world, control.claimToken);
    if (!isGranted(collected)) {
      throw new CannotTest(`A confirmed link delivers nothing (${collected.describe()}).`);
    }
    const early = await ask();
    await early.revoke();
    await early.approve();
    await judgeNothing('asked-before', await pollPatiently(world, early.claimToken));
    const late = await ask();
    await late.approve();
    await late.revoke();
    await judgeNothing('approved-before', await pollPatiently(world, late.claimToken));

    async function judgeNothing(
      name: 'asked-before' | 'approved-before',
      polled: Answer,
    ): Promise<void> {
      const reading = (await isWorth(world, polled)) ? undefined : WORTHLESS;
      judge.table(polled, { [name]: notGranted }, { reading });
    }
  },
});

/** Whether a poll delivered something that works. */
async function isWorth({ client, facts }: ServiceWorld, polled: Answer): Promise<boolean> {
  const assertion = polled.string('identity_assertion');
  if (assertion !== undefined && granted(await client.exchange(assertion)).ok) return true;
  const token = polled.string('access_token');
  if (token === undefined || facts.resource === undefined) return false;
  return (await client.call(token)).status !== 401;
}
