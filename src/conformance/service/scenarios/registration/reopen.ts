import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { isGranted, needClaim, pollPatiently } from '../../steps/polls.ts';
import { typeIfAsked } from '../../steps/type-if-asked.ts';

export const reopen = serviceScenario({
  id: 'reopen',
  title: 'A second attempt takes the place of the first',
  checks: {
    reopened: 'An open attempt can be replaced by a new one.',
    fresh: 'The new attempt has another link.',
    'old-attempt-over': 'Link and code of the replaced attempt complete nothing.',
    'old-code-over': 'The code of the replaced attempt completes nothing at the new link.',
    'email-corrected':
      'The address of an anonymous registration can be corrected until it is claimed.',
    'old-address-out': 'After a correction the address of before cannot claim.',
    'new-attempt-claims': 'The new link and code complete the claim.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const { claimToken } = await world.anonymous();
    const email = world.freshEmail();
    const first = await world.openClaim(claimToken, email);
    const early = await ClaimPageSession.take(world, first, email);
    const started = await client.startClaim(claimToken, email);
    judge.expect('reopened', started.status === 200, started);
    const second = world.mustClaim(started);
    judge.expect('fresh', second.verificationUri !== first.verificationUri, started);

    const typed = await early.type(first.userCode);
    const after = await pollPatiently(world, claimToken);
    judge.expect('old-attempt-over', !isGranted(after), after, { exchange: typed.exchange });
    if (isGranted(after)) return;
    const again = await typeIfAsked(world, { ...first, claimToken }, email);
    judge.expect('old-attempt-over', !isGranted(again), again);
    if (isGranted(again)) return;
    if (first.userCode !== second.userCode) {
      const seat = await ClaimPageSession.take(world, second, email);
      const mixed = await seat.type(first.userCode);
      const polled = await pollPatiently(world, claimToken);
      judge.expect('old-code-over', !isGranted(polled), polled, { exchange: mixed.exchange });
      if (isGranted(polled)) return;
    }

    const right = world.freshEmail();
    const corrected = await client.startClaim(claimToken, right);
    const moved = judge.expect('email-corrected', corrected.status === 200, corrected);
    const third = moved ? world.mustClaim(corrected) : second;
    const owner = moved ? right : email;
    if (moved) {
      const polled = await typeIfAsked(world, { ...third, claimToken }, email);
      judge.expect('old-address-out', !isGranted(polled), polled);
      if (isGranted(polled)) return;
    }
    const seat = await ClaimPageSession.take(world, third, owner);
    await seat.type(third.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.expect('new-attempt-claims', isGranted(claimed), claimed);
    if (!moved) judge.skip('old-address-out', 'The service takes no correction.');
  },
});
