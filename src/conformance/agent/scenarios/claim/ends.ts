import { agentScenario, ending, ofKind, refusal } from '../../agent-world.ts';
import { mustCall } from '../../steps/ended-access.ts';
import { atMost, called, none, once, some, tellsFailure } from '../../steps/rows.ts';
import {
  goodCall,
  need,
  needAttempts,
  needPolls,
  needTraffic,
  registrations,
  squeezed,
} from '../../steps/traffic.ts';

const expired = () => refusal(400, { error: 'expired_token' });

export const expiredAttempt = agentScenario({
  id: 'agent-expired-attempt',
  title: 'The attempt expires, and the user does not want another',
  checks: {
    'no-more-polls': 'The agent stops polling at expired_token.',
    'asks-first': 'The agent opens no new attempt unless its user wants one.',
    'no-new-identity': 'The agent does not register again when an attempt expires.',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  async run(judge, world) {
    const service = await world.service();
    service.on('poll', ({ nth }, next) => (nth >= 2 ? expired() : next()));
    const run = await world.run('claim', { service, agrees: false, limit: 20_000 });
    const polls = needPolls(run, 2);
    judge.table(run.traffic, {
      'no-more-polls': atMost(2, 'poll', polls, run),
      'asks-first': atMost(1, 'attempt', ofKind(run.traffic, 'claim')),
      'no-new-identity': once('registration', registrations(run.traffic)),
    });
  },
});

export const reopenedAttempt = agentScenario({
  id: 'agent-reopened-attempt',
  title: 'The attempt expires, and the user wants another',
  checks: {
    reopens: 'The agent opens a new attempt with the same claim token.',
    shows: 'The agent shows its user the code and the page of the new attempt.',
    'same-identity': 'The agent keeps its registration when it opens a new attempt.',
    finishes: 'After the claim of the new attempt the agent calls with its token.',
  },
  resting: {
    'agent-reopened-attempt.same-identity': ['reopens'],
    'agent-expired-attempt.no-more-polls': ['reopens'],
    'agent-claim.shows-code': ['shows'],
    'agent-claim.shows-address': ['shows'],
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(2);
    service.on('poll', ({ nth }, next) => (nth === 1 ? expired() : next()));
    let run = await world.run('claim', { service, agrees: true });
    let { output } = run;
    needPolls(run);
    // Some agents ask during the run; others need a second `claim`.
    if (ofKind(world.traffic, 'claim').length < 2 && !run.ok) {
      run = await world.run('claim', { service, agrees: true });
      output += run.output;
    }
    const [first, second] = ofKind(world.traffic, 'claim');
    judge.table(world.traffic, {
      reopens: {
        ok: second !== undefined && second.member('claim_token') === first?.member('claim_token'),
        seen: second === undefined ? `none (${ending(run)})` : 'another claim token',
        exchange: second?.number ?? first?.number,
      },
      'same-identity': once('registration', registrations(world.traffic)),
    });
    need(second, 'The agent opened no second attempt', run);
    const attempt = second.answered?.['claim_attempt'] as Attempt | undefined;
    if (attempt !== undefined) {
      const { user_code: code, verification_uri: page } = attempt;
      const isShown = squeezed(output).includes(squeezed(code)) && output.includes(page);
      judge.expect('shows', isShown, 'not in the output: the code, or its page');
    }
    judge.expect('finishes', goodCall(world.traffic) !== undefined, ending(run));
  },
});

interface Attempt {
  readonly user_code: string;
  readonly verification_uri: string;
}

const FINAL: readonly (readonly [status: number, error: string])[] = [
  [400, 'invalid_grant'],
  [400, 'invalid_request'],
  [400, 'unsupported_grant_type'],
  [401, 'invalid_client'],
];

export const finalErrors = agentScenario({
  id: 'agent-final-errors',
  title: 'A poll is answered with a final error',
  checks: {
    stops: 'The agent stops polling at any error other than authorization_pending and slow_down.',
    tells:
      'The agent reports that the claim failed: by its output, and by an exit code other than 0.',
    'denial-stops': 'At access_denied the agent stops polling and exits with a code other than 0.',
    'denial-final': 'After a denial the agent opens no new attempt by itself.',
  },
  resting: {
    'agent-final-errors.denial-final': ['denial-stops'],
    'agent-final-errors.tells': ['denial-stops'],
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  async run(judge, world) {
    const unknown = `${world.invented.word()}_${world.invented.word()}`;
    const codes = [...FINAL, [400, unknown] as const];
    await world.eachBeside(codes, async (beside, [status, code]) => {
      const service = await beside.service();
      service.on('poll', () => refusal(status, { error: code }));
      const run = await beside.run('claim', { service, limit: 15_000 });
      const polls = needPolls(run);
      const rows = { stops: atMost(1, 'poll', polls, run), tells: tellsFailure(run) };
      judge.table(run, rows, { case: `${status} ${code}` });
    });
    const service = await world.service();
    service.on('poll', async ({ nth }, next) => {
      if (nth === 2) await service.deny();
      return next();
    });
    const run = await world.run('claim', { service, agrees: false, limit: 15_000 });
    const polls = needPolls(run, 2);
    judge.table(run.traffic, {
      'denial-stops': [atMost(2, 'poll', polls, run), { ok: !run.ok, seen: ending(run) }],
      'denial-final': once('attempt', ofKind(run.traffic, 'claim')),
    });
  },
});

export const claimedAway = agentScenario({
  id: 'agent-claimed-away',
  title: 'The user completes the claim while the agent is not running',
  checks: {
    collects: 'When resumed, the agent polls and calls with a token of the claim.',
    'same-identity': 'When resumed, the agent does not register again.',
  },
  resting: { 'agent-claimed-away.same-identity': ['collects'] },
  blockedBy: ['agent-claim.starts'],
  async run(judge, world) {
    const service = await world.service();
    const begun = await world.run('begin', { service });
    needAttempts(begun);
    await service.complete();
    await world.harness.sleep(1100);
    const run = await world.run('resume', { service });
    judge.table(run.traffic, {
      collects: [some(ofKind(run.traffic, 'poll'), run.traffic), called(run)],
    });
    needTraffic(run);
    judge.table(run.traffic, { 'same-identity': none(registrations(run.traffic)) });
  },
});

export const supersededAway = agentScenario({
  id: 'agent-superseded-away',
  title: 'A completed claim invalidates the token and the assertion that the agent still uses',
  checks: {
    'same-identity': 'The agent does not register again while its claim may have been completed.',
  },
  blockedBy: ['agent-claim.starts', 'agent-call.calls'],
  async run(judge, world) {
    const service = await world.service();
    const begun = await world.run('begin', { service });
    needAttempts(begun);
    await mustCall(world, service);
    await service.complete();
    await world.harness.sleep(1100);
    const run = await world.run('call', { service });
    needTraffic(run);
    judge.table(run.traffic, { 'same-identity': none(registrations(run.traffic)) });
  },
});
