import { NotApplicable } from '../../../engine/judge.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { expectNoTakeover } from '../../steps/account-access.ts';
import { makeOwner, mustAsk, questionOf, speaksFor } from '../../steps/existing-account.ts';
import { isTaken, present, registrationOf } from '../../steps/present-id-jag.ts';

export const idJagConfirmation = serviceScenario({
  id: 'id-jag-confirmation',
  title: 'An ID-JAG that meets an existing account asks its owner first',
  checks: {
    'never-silent': 'An account is linked to no ID-JAG before its owner has agreed.',
    asked: 'The agent is answered 401 interaction_required with claim_token and a claim.',
    members:
      'The answer has registration_id, registration_type, claim_url and claim_token_expires.',
    challenge: 'Its challenge says interaction_required.',
    pending: 'Until the owner has agreed, polls are pending.',
    'asked-again': 'Another ID-JAG meanwhile is asked for the same registration, with a new claim.',
    'old-claim-dead': 'The claim token of before is good no longer then.',
    linked: 'Once the owner has agreed, the agent gets its assertion.',
    'linked-for-good': 'After that an ID-JAG of the same subject is answered at once.',
    'other-subject': 'Another subject with the same address asks the owner again.',
    'case-of-email': 'An address in capitals is the same account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    world.idJag(world.freshSubject());
    const owner = await makeOwner(world);
    const { email } = owner;
    const whom = { ...world.freshSubject(), email };
    const answer = await present(world, world.idJag(whom));
    const expected = 'no assertion before the owner of the account has agreed';
    await expectNoTakeover(judge, 'never-silent', world, { owner, answer, expected });
    judge.expect(
      'asked',
      answer.status === 401 &&
        answer.errorCode === 'interaction_required' &&
        questionOf(answer) !== undefined,
      answer,
    );
    const question = mustAsk(answer);
    judge.expect(
      'members',
      ['registration_id', 'claim_url', 'claim_token_expires'].every((name) =>
        answer.string(name),
      ) && answer.string('registration_type') === 'identity_assertion',
      answer,
    );
    const field = answer.header('www-authenticate');
    judge.expect(
      'challenge',
      challengeParameter(field, 'agentauth', 'error') === 'interaction_required',
      field ?? 'no WWW-Authenticate',
      { exchange: answer.exchange },
    );
    const pending = await world.client.poll(question.claimToken);
    judge.expect('pending', pending.errorCode === 'authorization_pending', pending);

    const again = await present(world, world.idJag(whom));
    await expectNoTakeover(judge, 'never-silent', world, { owner, answer: again, expected });
    const newer = mustAsk(again);
    judge.expect(
      'asked-again',
      registrationOf(again) === registrationOf(answer) && newer.claimToken !== question.claimToken,
      again,
    );
    const stale = await world.client.poll(question.claimToken);
    judge.expect('old-claim-dead', stale.errorCode !== 'authorization_pending' && !stale.ok, stale);

    const { userCode, verificationUri, interval } = newer.claim;
    await world.user.claim({ verificationUri, userCode, email, decision: 'approve' });
    await world.time.pass((interval ?? 5) * 1000);
    const polled = await world.client.poll(newer.claimToken);
    judge.expect(
      'linked',
      polled.ok &&
        polled.string('access_token') !== undefined &&
        polled.string('identity_assertion') !== undefined,
      polled,
    );
    const later = await present(world, world.idJag(whom));
    judge.expect(
      'linked-for-good',
      later.ok && later.string('identity_assertion') !== undefined,
      later,
    );
    const other = await present(world, world.idJag({ ...world.freshSubject(), email }));
    await expectNoTakeover(judge, 'other-subject', world, {
      owner,
      answer: other,
      expected: 'another subject is not linked to the account without its owner',
    });
    const shouted = { ...world.freshSubject(), email: email.toUpperCase() };
    const capitals = await present(world, world.idJag(shouted));
    judge.expect('case-of-email', !capitals.ok && isTaken(capitals), capitals, {
      expected: `the owner of ${email} is asked about ${email.toUpperCase()}`,
    });
  },
});

export const idJagDenial = serviceScenario({
  id: 'id-jag-denial',
  title: 'Who denies the link keeps the account to themselves',
  checks: {
    denied: 'After a denial, polls are answered access_denied.',
    'still-asked': 'The next ID-JAG does not get in either.',
    unverified: 'An address that its provider did not verify leads to no account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    world.idJag(world.freshSubject());
    const owner = await makeOwner(world);
    const { email } = owner;
    const whom = { ...world.freshSubject(), email };
    for (const verified of [false, undefined, 'true', 1]) {
      const options = { claims: { email_verified: verified } };
      const subject = { ...world.freshSubject(), email };
      const answer = await present(world, world.idJag(subject, options));
      judge.expect('unverified', !(await speaksFor(world, answer, email)), answer, {
        expected: `no access to an account by an address whose email_verified is ${JSON.stringify(verified)}`,
      });
    }
    const first = await present(world, world.idJag(whom));
    if (first.ok) throw new NotApplicable('The service does not ask the owner of the account.');
    const { claim, claimToken } = mustAsk(first);
    const { userCode, verificationUri, interval } = claim;
    await world.user.claim({ verificationUri, userCode, email, decision: 'deny' });
    await world.time.pass((interval ?? 5) * 1000);
    const polled = await world.client.poll(claimToken);
    judge.expect('denied', !polled.ok && polled.errorCode === 'access_denied', polled);
    const next = await present(world, world.idJag(whom));
    await expectNoTakeover(judge, 'still-asked', world, {
      owner,
      answer: next,
      expected: 'no assertion after the owner has denied',
    });
  },
});
