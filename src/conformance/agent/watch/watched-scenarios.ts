import type { Judge } from '../../engine/judge.ts';
import { NotApplicable } from '../../engine/judge.ts';
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
import { none, pauses, some, without } from '../steps/rows.ts';
import { gaps, goodCall, holds, registrations, seconds, TOLERANCE } from '../steps/traffic.ts';
import type { Stage } from './stage.ts';

/** What was seen of an agent that nobody started. */
export type Seen = Pick<
  Stage,
  'claimedToken' | 'email' | 'needless' | 'recorder' | 'service' | 'traffic'
>;

type Read = (judge: Judge, seen: Seen) => void;

/** What follows the seen end of a story, in a finding. */
const ENDED = 'then no request more';

/** Why what is not read here was not judged. */
const UNSEEN =
  'Watching the traffic of one run does not show it: an adapter does (docs/conformance-agent.md).';

/** Whoever begins elsewhere was told more than a URL. */
const GUIDED =
  'The agent did not begin at the protected URL, or read the skill file, which names the endpoints.';

/** Scenario → what the traffic shows of it. */
const READERS: Readonly<Record<string, Read>> = {
  'agent-call': (judge, { service, traffic, needless }) => {
    const [registered] = registrations(traffic);
    const story = { service, traffic, needless, ended: ENDED };
    const { 'by-get': byGet, 'two-hops': twoHops } = discoveryRows(story);
    const isUnguided = traffic[0]?.kind === 'resource' && ofKind(traffic, 'skill').length === 0;
    if (!isUnguided) judge.skip('two-hops', GUIDED);
    judge.table(traffic, { 'by-get': byGet, 'two-hops': isUnguided ? twoHops : undefined });
    if (registered?.json?.['type'] === 'anonymous') {
      judge.table(traffic, { registers: registrationRows(story).registers });
    }
    const { exchanges, calls, ...rest } = tokenRows(story);
    const first = ofKind(traffic, 'exchange')[0];
    judge.table(traffic, {
      exchanges: first && exchanges,
      calls: first && calls,
      'least-scope': rest['least-scope'],
      'one-method': rest['one-method'],
      // All its answers had such members. An agent that gave up may have had another reason.
      'unknown-members': goodCall(traffic) && { ok: true },
    });
  },
  'agent-claim': (judge, seen) => {
    const { traffic, email } = seen;
    const [registered] = registrations(traffic);
    if (registered?.json?.['type'] !== 'anonymous') return;
    const polls = ofKind(traffic, 'poll');
    const { starts, 'exact-body': exactBody } = attemptRows(traffic, email);
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
    const [registered] = registrations(traffic);
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
    const inUrl = ({ url, headers }: ReceivedRequest) =>
      known.filter(({ value }) => holds(url.href + (headers.get('referer') ?? ''), value));
    const leaking = traffic.find((each) => inUrl(each).length > 0);
    const names = leaking === undefined ? '' : inUrl(leaking).map(({ name }) => name);
    judge.table(traffic, { addresses: without(leaking, String(names)) });
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

/** A call after the claim, where one was to be expected: the claim was collected by a poll. */
function judgeClaimed(judge: Judge, { traffic }: Pick<Seen, 'traffic'>, check: string): void {
  const polls = ofKind(traffic, 'poll');
  if (polls.at(-1)?.answer?.status !== 200) return;
  judge.table(traffic, { [check]: calledClaimed(traffic, ENDED) });
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
  ({ id, title, checks, restsOn = {}, blockedBy = [] }) => ({
    id,
    title,
    checks,
    safe: false,
    costly: true,
    restsOn,
    blockedBy,
    run: async (judge, seen) => {
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
