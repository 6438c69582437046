import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind, refusal } from '../../agent-world.ts';
import { goodCall, listed, needPolls, registrations } from '../../steps/traffic.ts';

const expired = () => refusal(400, { error: 'expired_token' });

export const expiredAttempt = agentScenario({
  id: 'agent-expired-attempt',
  title: 'The attempt expires, and the person does not want another',
  checks: {
    'no-more-polls': 'The agent stops polling at expired_token.',
    'asks-first': 'The agent opens no new attempt unless its user wants one.',
    'no-new-identity': 'The agent does not register anew because an attempt expired.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.on('poll', ({ nth }, next) => (nth >= 2 ? expired() : next()));
    const run = await world.run('claim', { service, agrees: false, limit: 20_000 });
    const polls = needPolls(run, 2);
    judge.expect('no-more-polls', polls.length === 2 && !run.killed, `${polls.length - 2} more`, {
      exchange: polls.at(2)?.number,
    });
    const attempts = ofKind(run.traffic, 'claim');
    judge.expect('asks-first', attempts.length <= 1, `${attempts.length - 1} more`, {
      exchange: attempts.at(1)?.number,
    });
    const made = registrations(run.traffic);
    judge.expect('no-new-identity', made.length === 1, `${made.length} registrations`, {
      exchange: made.at(1)?.number,
    });
  },
});

export const reopenedAttempt = agentScenario({
  id: 'agent-reopened-attempt',
  title: 'The attempt expires, and the person wants another',
  checks: {
    reopens: 'The agent opens a fresh attempt with the same claim token.',
    'same-identity': 'The agent keeps its registration when it opens a fresh attempt.',
    finishes: 'The agent takes what the claim of the fresh attempt brings.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(2);
    service.on('poll', ({ nth }, next) => (nth === 1 ? expired() : next()));
    let run = await world.run('claim', { service, agrees: true });
    needPolls(run);
    // Some ask while they run, others are told to claim once more.
    if (ofKind(world.traffic, 'claim').length < 2 && !run.ok) {
      run = await world.run('claim', { service, agrees: true });
    }
    const [first, second] = ofKind(world.traffic, 'claim');
    judge.expect(
      'reopens',
      second !== undefined && second.member('claim_token') === first?.member('claim_token'),
      second === undefined ? `none (${ending(run)})` : 'another claim token',
      { exchange: second?.number ?? first?.number },
    );
    const made = registrations(world.traffic);
    judge.expect('same-identity', made.length === 1, `${made.length} registrations`, {
      exchange: made.at(1)?.number,
    });
    if (second === undefined) throw new CannotTest('There was no second attempt.');
    judge.expect('finishes', goodCall(world.traffic) !== undefined, ending(run));
  },
});

const FINAL: readonly (readonly [status: number, error: string])[] = [
  [400, 'invalid_grant'],
  [400, 'invalid_request'],
  [400, 'unsupported_grant_type'],
  [401, 'invalid_client'],
];

export const finalErrors = agentScenario({
  id: 'agent-final-errors',
  title: 'A poll is answered with an error that is final',
  checks: {
    stops: 'The agent stops polling at any error but authorization_pending and slow_down.',
    tells: 'The agent tells its user that the claim came to nothing.',
    'denial-stops': 'The agent takes access_denied for the refusal that it is.',
    'denial-final': 'After a refusal the agent opens no new attempt by itself.',
  },
  async run(judge, world) {
    const ofTomorrow = `${world.invented.word()}_${world.invented.word()}`;
    for (const [status, code] of [...FINAL, [400, ofTomorrow] as const]) {
      const service = await world.service();
      service.on('poll', () => refusal(status, { error: code }));
      const run = await world.run('claim', { service, limit: 15_000 });
      const polls = needPolls(run);
      judge.expect('stops', polls.length === 1 && !run.killed, `${polls.length - 1} more`, {
        expected: `no poll after ${status} ${code}`,
        exchange: polls.at(1)?.number,
      });
      judge.expect(
        'tells',
        run.killed || (!run.ok && run.output.trim() !== ''),
        `exit ${run.exitCode ?? 'by a signal'}, ${run.output.trim() === '' ? 'no word' : 'some words'}`,
        { expected: `another exit code than 0, and some words, after ${status} ${code}` },
      );
    }
    const service = await world.service();
    service.on('poll', async ({ nth }, next) => {
      if (nth === 2) await service.deny();
      return next();
    });
    const run = await world.run('claim', { service, agrees: false, limit: 15_000 });
    const polls = needPolls(run, 2);
    judge.expect(
      'denial-stops',
      polls.length === 2 && !run.killed && !run.ok,
      `${polls.length - 2} more, exit ${run.exitCode ?? 'by force'}`,
      { exchange: polls.at(2)?.number },
    );
    const attempts = ofKind(run.traffic, 'claim');
    judge.expect('denial-final', attempts.length === 1, `${attempts.length - 1} more`, {
      exchange: attempts.at(1)?.number,
    });
  },
});

export const claimedAway = agentScenario({
  id: 'agent-claimed-away',
  title: 'The person completes the claim while the agent is away',
  checks: {
    collects: 'Resumed, the agent polls once and calls with a token of the claim.',
    'same-identity': 'Resumed, the agent does not register anew.',
  },
  async run(judge, world) {
    const service = await world.service();
    const begun = await world.run('begin', { service });
    if (ofKind(begun.traffic, 'claim').length === 0) {
      throw new CannotTest(`The agent opened no claim attempt (${ending(begun)}).`);
    }
    await service.complete();
    await world.harness.sleep(1100);
    const run = await world.run('resume', { service });
    judge.expect(
      'collects',
      ofKind(run.traffic, 'poll').length > 0 && goodCall(run.traffic) !== undefined,
      `${listed(run.traffic)} (${ending(run)})`,
    );
    judge.expect(
      'same-identity',
      registrations(run.traffic).length === 0,
      listed(registrations(run.traffic)),
      { exchange: registrations(run.traffic).at(0)?.number },
    );
  },
});

export const supersededAway = agentScenario({
  id: 'agent-superseded-away',
  title: 'A claim ends the token and the assertion that the agent still works with',
  checks: {
    'polls-once': 'The agent answers a 401 or invalid_grant that stays with one claim poll.',
    'same-identity': 'The agent never registers anew while its claim may have been completed.',
    'calls-again': 'The agent calls with the token that the poll brought.',
  },
  async run(judge, world) {
    const service = await world.service();
    const begun = await world.run('begin', { service });
    if (ofKind(begun.traffic, 'claim').length === 0) {
      throw new CannotTest(`The agent opened no claim attempt (${ending(begun)}).`);
    }
    const working = await world.mustRun('call', { service });
    if (goodCall(working.traffic) === undefined) {
      throw new CannotTest('The agent did not call with a token of before the claim.');
    }
    await service.complete();
    await world.harness.sleep(1100);
    const run = await world.run('call', { service });
    judge.expect('polls-once', ofKind(run.traffic, 'poll').length === 1, listed(run.traffic), {
      exchange: run.traffic.at(0)?.number,
    });
    judge.expect(
      'same-identity',
      registrations(run.traffic).length === 0,
      listed(registrations(run.traffic)),
      { exchange: registrations(run.traffic).at(0)?.number },
    );
    judge.expect(
      'calls-again',
      goodCall(run.traffic) !== undefined,
      `${listed(run.traffic)} (${ending(run)})`,
    );
  },
});
