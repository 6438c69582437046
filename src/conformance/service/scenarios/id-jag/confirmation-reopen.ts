import { refused } from '../../../engine/rows.ts';
import { type ClaimBlock, readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, shownBy } from '../../steps/answers.ts';
import { askOwner } from '../../steps/confirmation.ts';
import { KeptOut } from '../../steps/controls.ts';
import { approveAt, decideClaim } from '../../steps/decide-claim.ts';
import { makeOwner } from '../../steps/existing-account.ts';
import { pollPatiently } from '../../steps/polls.ts';

const OWN_EMAIL =
  'It opens the attempt for the account on record, whatever email is sent: nobody else has completed it.';

export const confirmationReopen = serviceScenario({
  id: 'confirmation-reopen',
  title: 'An agent re-opens the confirmation of an account with the email of somebody else',
  checks: {
    'owner-alone':
      'Whatever email the agent names, nobody but the owner of the account confirms the link.',
    'other-refused': 'A confirmation opens no attempt for another email.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client } = world;
    const { email } = await makeOwner(world);
    const { claimToken } = await askOwner(world, { ...world.freshSubject(), email });
    const url = client.endpoint('claimEndpoint');
    const stranger = world.freshEmail();
    const keptOut = new KeptOut(judge);
    for (const [what, members] of [
      ['another email', { email: stranger }],
      ['another email in login_hint', { login_hint: stranger }],
      ['another email beside the right one', { email, login_hint: stranger }],
    ] as const) {
      const body = { claim_token: claimToken, ...members };
      const started = await client.postJson(url, body, { from: 'agent' });
      const claim = readClaimBlock(started);
      if (claim !== undefined && !(await isKeptOut(claim, what))) return;
      // Whether login_hint is read at all is the service's choice.
      if ('login_hint' in members) continue;
      const reading = claim === undefined ? undefined : OWN_EMAIL;
      judge.table(started, { 'other-refused': refused }, { reading });
    }
    const reopened = await client.startClaim(claimToken, email);
    const claim = readClaimBlock(reopened);
    if (claim === undefined) {
      return void keptOut.end(reopened);
    }
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const confirmed = await pollPatiently(world, claimToken);
    keptOut.end(confirmed);
    if (granted(confirmed).ok) judge.expect('owner-alone', true, confirmed);

    /** Whether somebody else, who has link and code, confirms nothing. */
    async function isKeptOut(claim: ClaimBlock, what: string): Promise<boolean> {
      const typed = await approveAt(world, claim, stranger);
      if (typed === undefined) return true;
      const polled = await pollPatiently(world, claimToken);
      return keptOut.tried('owner-alone', polled, { case: what, ...shownBy(typed.answer) });
    }
  },
});
