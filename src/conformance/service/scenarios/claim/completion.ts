import { MINUTE } from '../../../../protocol/index.ts';
import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { errorCode, refused } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-world.ts';
import { hasAccessOf } from '../../steps/account-access.ts';
import {
  ClaimScopes,
  granted,
  isGranted,
  notGranted,
  scopesOf,
  shownBy,
} from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { KeptOut, mustCompleteClaims } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { approveAt, decideClaim, type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { claimWindow, needClaim, pollPatiently } from '../../steps/polls.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

export const jsonComplete = serviceScenario({
  id: 'json-complete',
  title: 'A script completes a claim as JSON, with session and CSRF token',
  checks: {
    'nobody-completes': 'Without a signed-in user the right code completes nothing.',
  },
  async run(judge, world) {
    const { claim, claimToken, email } = await world.byEmail();
    const mine = await JsonCompletion.open(world, claim, email);
    const nobody = await mine.withoutSession(world).submit(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const keptOut = new KeptOut(judge);
    keptOut.tried('nobody-completes', polled, nobody);
    mine.needJson(await mine.submit(claim.userCode));
    keptOut.end(await pollPatiently(world, claimToken));
  },
});

export const denial = serviceScenario({
  id: 'denial',
  title: 'The user denies the claim',
  checks: {
    denied: 'A poll after the denial is answered access_denied.',
    'no-way-back': 'The code of a denied attempt completes nothing.',
  },
  resting: { 'denial.denied': ['no-way-back'] },
  async run(judge, world) {
    await mustCompleteClaims(world);
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    const poll = () => pollPatiently(world, claimToken);
    const other = await ClaimPageSession.open(world, claim, email);
    await decideClaim(world, { ...claim, email, decision: 'deny' });
    judge.table(await poll(), { denied: errorCode('access_denied') });
    const typed = shownBy(await other.approve(claim.userCode));
    judge.table(await poll(), { 'no-way-back': notGranted }, typed);
  },
});

const PARALLEL = 20;

export const collection = serviceScenario({
  id: 'collection',
  title: 'A claim is completed while nobody polls, then collected, more than once',
  checks: {
    parallel: 'Polls at the same time deliver one assertion: the same to each, or to one of them.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client } = world;
    await judgeRace();
    async function complete(): Promise<OpenClaim> {
      const open = await openClaim(world, world.userEmail());
      await decideClaim(world, { ...open.claim, email: open.email, decision: 'approve' });
      return open;
    }

    async function judgeRace(): Promise<void> {
      const { claimToken } = await complete();
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, () => client.poll(claimToken)),
      );
      const deliveries = answers.filter(isGranted);
      const [one] = deliveries;
      if (one === undefined) return judge.skip('parallel', 'Nothing could be collected.');
      const ids = new Set(deliveries.map((answer) => textOf(answer)));
      const different = `${ids.size} different assertions by ${PARALLEL} polls`;
      judge.expect('parallel', ids.size === 1, different, one);
    }
  },
});

function assertionOf(answer: Answer): OpenedJwt | undefined {
  return openJwt(answer.string('identity_assertion') ?? '');
}

/** What tells assertions apart: the jti, or all of an opaque one. */
function textOf(answer: Answer): unknown {
  return assertionOf(answer)?.claims['jti'] ?? answer.string('identity_assertion');
}

export const claimedForGood = serviceScenario({
  id: 'claimed-for-good',
  title: 'A claim is completed just before the outer window ends, and outlives it',
  checks: {
    lasting: 'A claimed registration does not end with the window.',
    'no-fresh-attempt': 'A claimed registration opens no further attempt after the window.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    needClaim(world);
    const { client, time } = world;
    const { answer, claimToken } = await world.anonymous();
    const { end, nearly } = claimWindow(answer, world);
    const length = end - time.now();
    await time.passTo(nearly);
    if (time.now() >= end) throw new CannotTest('The window ended before the suite could claim.');
    const email = world.userEmail();
    const claim = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    // Long after a long window, and soon after a short one.
    await time.passTo(end + Math.min(30 * MINUTE, Math.ceil(length / 2)));
    const collected = await pollPatiently(world, claimToken);
    judge.table(await client.startClaim(claimToken, email), { 'no-fresh-attempt': refused });
    const assertion = collected.string('identity_assertion');
    if (assertion === undefined) return judge.skip('lasting', 'Nothing could be collected.');
    judge.table(await client.exchange(assertion), { lasting: granted });
  },
});

export const claimedTakeover = serviceScenario({
  id: 'claimed-takeover',
  title: 'A registration that its user has claimed is opened for somebody else',
  checks: {
    kept: 'A registration that its user has claimed becomes that of nobody else.',
    'still-works': 'What its user has claimed still works after that.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const { claimToken } = await world.anonymous();
    const owner = world.freshEmail();
    const claim = await world.openClaim(claimToken, owner);
    await decideClaim(world, { ...claim, email: owner, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    const assertion = world.must(claimed, 'identity_assertion', 'a completed claim');
    if (!(await hasAccessOf(world, claimed, owner))) {
      throw new NotApplicable('Nothing shows to whom a claimed registration belongs.');
    }
    const otherEmail = world.freshEmail();
    const reopened = await client.startClaim(claimToken, otherEmail);
    const fresh = readClaimBlock(reopened);
    if (fresh !== undefined) await approveAt(world, fresh, otherEmail);
    const after = await pollPatiently(world, claimToken);
    const isTaken = await hasAccessOf(world, after, otherEmail);
    judge.expect('kept', !isTaken, after, reopened);
    judge.table(await client.exchange(assertion), { 'still-works': granted });
  },
});

/** More than any sensible service allows on one attempt. */
const MANY = 20;

export const beforeClaim = serviceScenario({
  id: 'before-claim',
  title: 'A claim goes wrong, and the registration stays as small as it was',
  checks: {
    denied: 'After a denial an exchange gives no scope that only a claim brings.',
    'wrong-codes': 'After too many wrong codes an exchange gives no such scope either.',
    reopened: 'With a new attempt open an exchange gives no such scope either.',
  },
  costly: true,
  async run(judge, world) {
    needClaim(world);
    const { client, facts } = world;
    const email = world.userEmail();
    const { answer: registered, assertion, claimToken } = await world.anonymous();
    const first = await client.exchange(assertion);
    world.must(first, 'access_token', 'an exchange');
    const [scope] = new ClaimScopes(registered, first, facts.metadata).postClaimOnly;
    if (scope === undefined) {
      throw new NotApplicable('The service names no scope that only a claim brings.');
    }
    const claim = await world.openClaim(claimToken, email);
    const session = await ClaimPageSession.open(world, claim, email);
    for (const code of wrongCodes(claim.userCode, MANY)) {
      await session.approve(code);
      if (!session.asksForCode) break;
    }
    await expectSmall('wrong-codes');
    const reopened = readClaimBlock(await client.startClaim(claimToken, email));
    if (reopened === undefined) {
      return judge.skip(['reopened', 'denied'], 'No other attempt is opened after wrong codes.');
    }
    await expectSmall('reopened');
    const again = await ClaimPageSession.open(world, reopened, email);
    if (!again.canDeny) return judge.skip('denied', new NoDenial().message);
    await again.deny();
    await expectSmall('denied');

    async function expectSmall(name: 'denied' | 'wrong-codes' | 'reopened'): Promise<void> {
      for (const more of [{}, { scope: scope ?? '' }]) {
        const answer = await client.exchange(assertion, more);
        // Without a word of scope it is what was asked for (RFC 6749 §5.1).
        const given = scopesOf(answer) ?? Object.values(more);
        const isBeyond = isGranted(answer) && given.includes(scope ?? '');
        judge.expect(name, !isBeyond, answer, { case: JSON.stringify(more) });
      }
    }
  },
});
