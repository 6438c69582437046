import { type Judge, NotApplicable, type Reading, type Row } from '../../engine/judge.ts';
import type { Scenario } from '../../engine/scenario.ts';
import { ofKind, secretsIn } from '../agent-world.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { AGENT_SCENARIOS } from '../scenarios/index.ts';
import { discoveryRows, registrationRows, tokenRows } from '../steps/call-rows.ts';
import {
  allWith,
  attemptRows,
  calledClaimed,
  emailRows,
  exchangedSecond,
} from '../steps/claim-rows.ts';
import { connectRows } from '../steps/connect-rows.ts';
import { none, pauses, some, unsaidInUrls, without } from '../steps/rows.ts';
import {
  gaps,
  goodCall,
  goodExchange,
  registrations,
  seconds,
  TOLERANCE,
} from '../steps/traffic.ts';
import type { Stage } from './stage.ts';

/** What was seen of an agent that nobody started. */
export type Seen = Pick<
  Stage,
  'both' | 'claimedToken' | 'email' | 'isCut' | 'needless' | 'recorder' | 'service' | 'traffic'
>;

type Traffic = readonly ReceivedRequest[];
type Read = (judge: Judge, seen: Seen) => void;

/** What follows the seen end of a story, in a finding. */
const ENDED = 'then no request more';

/** Why what is not read here was not judged. */
const UNSEEN =
  'Watching the traffic of one run does not show it: an adapter does (docs/conformance-agent.md).';

/** Whoever begins elsewhere was told more than a URL. */
const GUIDED =
  'The agent did not begin at the protected URL, or read the skill file, which names the endpoints.';

const NO_EXCHANGE =
  'The claim brought an access token, and the agent exchanged no assertion for another, not even after the first one was refused.';

const NOBODY = 'No request came.';

const CUT = 'The watch was interrupted before it was seen.';

/** Scenario → what the traffic shows of it. */
const READERS: Readonly<Record<string, Read>> = {
  'agent-call': (judge, seen) => {
    const { service, traffic, needless } = seen;
    const [registered] = registrations(traffic);
    // A client of cross-app access.
    if (registered === undefined && ofKind(traffic, 'authorize').length > 0) return;
    const story = { service, traffic, needless, ended: ENDED };
    const { 'by-get': byGet, 'two-hops': twoHops } = discoveryRows(story);
    const isUnguided = traffic[0]?.kind === 'resource' && ofKind(traffic, 'skill').length === 0;
    judge.table(traffic, { 'by-get': byGet });
    if (isUnguided) judgeEnd(judge, seen, 'two-hops', registered !== undefined, twoHops);
    else judge.skip('two-hops', GUIDED);
    if (registered?.json?.['type'] === 'anonymous') {
      judge.table(traffic, { registers: registrationRows(story).registers });
    }
    judge.table(traffic, {
      'least-scope': tokenRows(story)['least-scope'],
      'one-method': tokenRows(story)['one-method'],
      // All its answers had such members. An agent that gave up may have had another reason.
      'unknown-members': goodCall(traffic) && { ok: true },
    });
    judgeFirstToken(judge, seen);
  },
  'agent-claim': (judge, seen) => {
    const { traffic, email } = seen;
    const registered = claimedOf(traffic);
    if (registered?.json?.['type'] !== 'anonymous') return;
    const polls = ofKind(traffic, 'poll');
    const { starts, 'exact-body': exactBody } = attemptRows(traffic, email, registered);
    if (ofKind(traffic, 'claim').length === 0) return;
    judge.table(traffic, {
      starts,
      'exact-body': exactBody,
      'leaves-typing': none(ofKind(traffic, 'page').filter(({ method }) => method === 'POST')),
      ...(polls.length > 0 && {
        polls: allWith(registered.answered?.['claim_token'], polls),
        pace: pauses(polls, 1000),
      }),
    });
    judgeClaimed(judge, seen, 'calls-claimed');
    const exchanged = afterRefusal(seen).filter(({ kind }) => kind === 'exchange');
    if (exchanged.length > 0) {
      judge.table(traffic, { 'second-assertion': exchangedSecond(exchanged, polls) });
    }
  },
  'agent-service-auth': (judge, seen) => {
    const { traffic, email } = seen;
    const registered = claimedOf(traffic);
    if (registered?.json?.['type'] !== 'service_auth') return;
    judge.table(registered, emailRows(registered, email));
    const polls = ofKind(traffic, 'poll');
    if (polls.length > 0) {
      judge.table(traffic, { polls: allWith(registered.answered?.['claim_token'], polls) });
    }
    judgeClaimed(judge, seen, 'calls');
  },
  'agent-slow-down': (judge, { traffic }) => {
    const polls = ofKind(traffic, 'poll');
    const slowed = polls.findIndex(({ answered }) => answered?.['error'] === 'slow_down');
    const later = gaps(polls.slice(Math.max(0, slowed)));
    if (slowed === -1 || later.length === 0) return;
    judge.table(polls, {
      'adds-up': later.map(({ ms, next }) => ({
        ok: ms >= 6000 - TOLERANCE,
        seen: seconds(ms),
        case: '6.0 s due after one slow_down',
        exchange: next.number,
      })),
    });
  },
  'agent-refused-token': (judge, seen) => {
    const after = afterRefusal(seen);
    if (after.length === 0) return;
    judge.table(after, { 'same-identity': none(registrations(after)) });
  },
  'agent-leave': (judge, { traffic }) => {
    const posted = ofKind(traffic, 'revoke').filter(({ method }) => method === 'POST');
    const [first] = posted;
    if (first === undefined) return;
    const tokens = secretsIn(traffic).map(({ value }) => value);
    const right = posted.filter(({ form }) => tokens.includes(form.get('token') ?? ''));
    judge.table(traffic, { revokes: some(right, posted, { exchange: first.number }) });
  },
  'agent-secrets': (judge, { traffic }) => {
    const known = secretsIn(traffic);
    if (known.length === 0) return;
    judge.table(traffic, { addresses: unsaidInUrls(known, traffic) });
  },
  'agent-cross-app': (judge, seen) => {
    const { both, traffic } = seen;
    if (ofKind(traffic, 'authorize', 'mint').length === 0) return;
    const rows = connectRows(both, traffic, ENDED);
    // What it did not do may still have been to come.
    const done = Object.entries<Reading | undefined>(rows).filter(
      ([, row]) => !seen.isCut || row?.exchange !== undefined,
    );
    judge.table(traffic, Object.fromEntries(done));
  },
  'agent-poisoned-skill': (judge, { traffic }) => {
    const fetched = ofKind(traffic, 'skill');
    if (fetched.length === 0) return;
    const withToken = fetched.find(
      ({ headers }) => headers.has('authorization') || headers.has('cookie'),
    );
    judge.table(traffic, { 'no-credentials': without(withToken, 'credentials in its header') });
  },
};

/** What an agent did not do is seen at the end of its story alone. */
function judgeEnd(
  judge: Judge,
  { isCut, traffic }: Seen,
  check: string,
  isThere: boolean,
  row: Row<Traffic> | undefined,
): void {
  if (isCut && !isThere) judge.skip(check, CUT);
  else judge.table(traffic, { [check]: row });
}

/**
 * The token before the claim, where the agent had one: the claim brings another, without an exchange. Whoever
 * registers by email has its first exchange after that.
 */
function judgeFirstToken(judge: Judge, seen: Seen): void {
  const claimed = seen.traffic.findIndex(
    ({ kind, answer }) => kind === 'poll' && answer?.status === 200,
  );
  const before = claimed === -1 ? seen.traffic : seen.traffic.slice(0, claimed);
  const traffic = ofKind(before, 'exchange').length > 0 ? before : seen.traffic;
  const hasExchanged = ofKind(traffic, 'exchange').length > 0;
  const hasCalled = ofKind(traffic, 'resource').some(({ bearer }) => bearer !== undefined);
  if (!hasExchanged && claimed === -1) return;
  const { exchanges, calls } = tokenRows({ ...seen, traffic, ended: ENDED });
  if (hasExchanged) {
    judgeEnd(judge, seen, 'exchanges', goodExchange(traffic) !== undefined, exchanges);
  } else judge.skip('exchanges', NO_EXCHANGE);
  if (claimed === -1 || hasCalled) {
    judgeEnd(judge, seen, 'calls', goodCall(traffic) !== undefined, calls);
  }
}

/** A call after the claim, where one was to be expected: the claim was collected by a poll. */
function judgeClaimed(judge: Judge, seen: Seen, check: string): void {
  const { traffic } = seen;
  const last = ofKind(traffic, 'poll').at(-1);
  if (last?.answer?.status !== 200) return;
  const hasCalled = ofKind(traffic, 'resource').some(({ number }) => number > last.number);
  judgeEnd(judge, seen, check, hasCalled, calledClaimed(traffic, ENDED));
}

/** The registration that the agent had claimed, of several; the first one where it claimed none. */
function claimedOf(traffic: Traffic): ReceivedRequest | undefined {
  const all = registrations(traffic);
  const [used] = [...ofKind(traffic, 'claim'), ...ofKind(traffic, 'poll')].map((each) =>
    each.member('claim_token'),
  );
  return all.find(({ answered }) => used && answered?.['claim_token'] === used) ?? all[0];
}

/** The requests after the one whose token was refused. */
function afterRefusal({
  traffic,
  claimedToken,
}: Pick<Seen, 'claimedToken' | 'traffic'>): readonly ReceivedRequest[] {
  const refused = traffic.findIndex(
    ({ bearer, answer }) => bearer === claimedToken && answer?.status === 401,
  );
  return claimedToken === undefined || refused === -1 ? [] : traffic.slice(refused + 1);
}

/** Every scenario for agents, as far as traffic shows it. What it does not is skipped, each check by name. */
export const WATCHED_SCENARIOS: readonly Scenario<Seen>[] = AGENT_SCENARIOS.map(
  ({ id, title, checks, resting = {}, blockedBy = [] }) => ({
    id,
    title,
    checks,
    safe: false,
    costly: true,
    resting,
    blockedBy,
    run: async (judge, seen) => {
      if (seen.traffic.length === 0) throw new NotApplicable(NOBODY);
      READERS[id]?.(judge, seen);
      judge.skip(Object.keys(checks), UNSEEN);
      throw new NotApplicable(UNSEEN);
    },
  }),
);

/** Whether traffic may show something of a scenario. */
export function isWatched(scenario: string): boolean {
  return scenario in READERS;
}
