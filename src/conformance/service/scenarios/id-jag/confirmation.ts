import { NotApplicable } from '../../../engine/judge.ts';
import { refused } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type ClaimBlock, readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-world.ts';
import {
  decideInteraction,
  expectNoTakeover,
  expectOwnerAsked,
  hasAccessOf,
  interactionOf,
  makeOwner,
  mustRequireInteraction,
  NOBODY_IS_ASKED,
} from '../../steps/account-access.ts';
import { error, granted, isGranted, scopesOf, shownBy } from '../../steps/answers.ts';
import { askOwner, confirm } from '../../steps/confirmation.ts';
import { KeptOut } from '../../steps/controls.ts';
import { approveAt, decideClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { isAccepted, mustBeAccepted, mustRegister, present } from '../../steps/present-id-jag.ts';

export const idJagConfirmation = serviceScenario({
  id: 'id-jag-confirmation',
  title: 'An ID-JAG for an existing account asks its owner first',
  checks: {
    'never-silent': 'No ID-JAG is linked to an account before its owner has agreed.',
    asked: 'The agent is answered 401 interaction_required with claim_token and a claim.',
    'other-subject': 'Another subject with the same email asks the owner again.',
    'case-of-email': 'An email in capitals is the same account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    world.idJag(world.freshSubject());
    const owner = await makeOwner(world);
    const { email } = owner;
    const ask = (whom: typeof subject) => present(world, world.idJag(whom));
    const subject = { ...world.freshSubject(), email };
    const answer = await ask(subject);
    expectOwnerAsked(judge, 'never-silent', answer);
    judge.table(answer, {
      asked: [error(401, 'interaction_required'), { ok: interactionOf(answer) !== undefined }],
    });
    mustRequireInteraction(answer);
    const again = await ask(subject);
    await expectNoTakeover(judge, 'never-silent', world, owner, again);
    const second = mustRequireInteraction(again);
    await decideInteraction(world, second, email, 'approve');
    await pollPatiently(world, second.claimToken);
    const other = await ask({ ...world.freshSubject(), email });
    await expectNoTakeover(judge, 'other-subject', world, owner, other);
    const capitals = await ask({ ...world.freshSubject(), email: email.toUpperCase() });
    judge.expect('case-of-email', !capitals.ok && isAccepted(capitals), capitals);
  },
});

export const idJagDenial = serviceScenario({
  id: 'id-jag-denial',
  title: 'The owner of an account denies the link, and keeps the account',
  checks: {
    denied: 'After a denial, polls are answered access_denied.',
    'still-asked': 'After a denial the next ID-JAG is not linked either.',
    unverified: 'An email that its provider did not verify leads to no account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const owner = await makeOwner(world);
    const { email } = owner;
    const subject = { ...world.freshSubject(), email };
    for (const verified of [false, undefined, 'true', 1]) {
      const claims = { email_verified: verified };
      const whom = { ...world.freshSubject(), email };
      const answer = await present(world, world.idJag(whom, { claims }));
      const isLinked = await hasAccessOf(world, answer, email);
      judge.expect('unverified', !isLinked, answer, { case: JSON.stringify(claims) });
    }
    const first = await present(world, world.idJag(subject));
    if (first.ok) throw new NotApplicable(NOBODY_IS_ASKED);
    const interaction = mustRequireInteraction(first);
    await decideInteraction(world, interaction, email, 'deny');
    const polled = await pollPatiently(world, interaction.claimToken);
    judge.expect('denied', !polled.ok && polled.errorCode === 'access_denied', polled);
    const next = await present(world, world.idJag(subject));
    await expectNoTakeover(judge, 'still-asked', world, owner, next);
  },
});

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
    const otherEmail = world.freshEmail();
    const keptOut = new KeptOut(judge);
    for (const [what, members] of [
      ['another email', { email: otherEmail }],
      ['another email in login_hint', { login_hint: otherEmail }],
      ['another email beside the right one', { email, login_hint: otherEmail }],
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
      const typed = await approveAt(world, claim, otherEmail);
      if (typed === undefined) return true;
      const polled = await pollPatiently(world, claimToken);
      return keptOut.tried('owner-alone', polled, { case: what, ...shownBy(typed.answer) });
    }
  },
});

export const confirmedScope = serviceScenario({
  id: 'confirmed-scope',
  title: 'What an ID-JAG narrows stays narrow: renewed, confirmed, exchanged',
  checks: {
    renewed: 'After an ID-JAG that narrows the scope, its assertion gives no scope beyond it.',
    confirmed: 'A link that its owner confirmed has no scope beyond that of its ID-JAG.',
    exchanged: 'Neither has a token for its assertion, whatever scope is asked for.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client } = world;
    const wide = await mustRegister(world);
    const [only, ...others] = scopesOf(await client.exchange(wide.identityAssertion)) ?? [];
    const beyond = others[0];
    if (only === undefined || beyond === undefined) {
      const reason = 'The service grants less than two scopes.';
      return judge.skip(['renewed', 'confirmed', 'exchanged'], reason);
    }
    const narrowed = { claims: { scope: only } };
    const narrow = await mustRegister(world, world.freshSubject(), narrowed);
    const given = scopesOf(await client.exchange(narrow.identityAssertion)) ?? [];
    if (given.includes(beyond)) {
      throw new NotApplicable('An ID-JAG narrows nothing here: id-jag-scope.narrowed.');
    }
    const expectNarrow = (
      name: 'renewed' | 'confirmed' | 'exchanged',
      answer: Answer,
      what?: string,
    ) => {
      const isNarrow = !isGranted(answer) || (scopesOf(answer) ?? []).every((one) => one === only);
      judge.expect(name, isNarrow, answer, { case: what });
    };
    const next = await mustRegister(world, wide, narrowed);
    expectNarrow('renewed', await client.exchange(next.identityAssertion));

    const { email } = await makeOwner(world);
    const subject = { ...world.freshSubject(), email };
    const link = await confirm(world, await askOwner(world, subject, narrowed), email);
    expectNarrow('confirmed', link.polled);
    for (const more of [{}, { scope: beyond }, { scope: `${only} ${beyond}` }]) {
      const answer = await client.exchange(link.assertion, more);
      expectNarrow('exchanged', answer, JSON.stringify(more));
    }
  },
});
