import { isJsonObject, maskPath } from '../../protocol/index.ts';
import type { Clock, Random } from '../../runtime/index.ts';
import type { TranscribedExchange, Transcript } from '../transcript.ts';
import { compare, type Difference, livePoints, type Points, recordedPoints } from './compare.ts';
import { isChecked, isOfRegistration, type Names, namesIn } from './names.ts';
import { TranscriptError } from './read-transcript.ts';
import { makeReplayKey, type ReplayKey, writeAnswer } from './write-answer.ts';

export interface ReplayedServiceOptions {
  readonly transcript: Transcript;
  /** The origin at which the replay is reached. */
  readonly baseUrl: string;
  /** Where the provider of the recording is now. Default: the one that a request names first. */
  readonly provider?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

interface Recorded extends TranscribedExchange {
  /** Its number, from 1, in the order in which they happened. */
  readonly number: number;
  readonly points: Points;
  /** The names in its request of what belongs to one registration. */
  readonly names: readonly string[];
  /** Whether an agent that brings nothing is given here what it goes on with. */
  readonly isBeginning: boolean;
  /** Whether the agent changed something by it: for its user, who is not here, nothing waits. */
  readonly isTurn: boolean;
}

/** The transcript as one agent goes through it. */
interface Run {
  readonly values: Map<string, string>;
  /** When each exchange was answered last: counts up. */
  readonly used: Map<Recorded, number>;
}

interface Match {
  readonly exchange: Recorded;
  readonly differences: readonly Difference[];
  /** What names stand for, should it be this one. */
  readonly found: ReadonlyMap<string, string>;
}

/** How many agents are answered side by side; the one that began first is forgotten first. */
const MOST_RUNS = 500;

/**
 * Answers as the recorded service did, in the recorded order, with secrets, ids, a key and times of its own.
 * @throws TranscriptError for a transcript without an exchange with a service.
 */
export async function createReplayedService(options: ReplayedServiceOptions) {
  const { baseUrl, clock, provider, random, transcript } = options;
  const { exchanges, given } = readRecording(transcript);
  if (exchanges.length === 0) {
    throw new TranscriptError('$.exchanges', 'has no exchange with a service');
  }
  const key = await makeReplayKey();
  const jwks = keySet(exchanges, key);
  const runs: Run[] = [];

  /** `undefined`: the connection ends without an answer, as it did when it was recorded. */
  async function answer(request: Request): Promise<Response | undefined> {
    const live = await livePoints(request);
    if (live === undefined) return problem('Its body is too long, is no UTF-8, or broke off.');
    let run = runOf(live) ?? runs.at(-1) ?? newRun();
    let chosen = choose(run, live);
    if (chosen === undefined || (chosen.exchange.isBeginning && run.used.has(chosen.exchange))) {
      const other = newRun();
      const begun = choose(other, live);
      if (begun !== undefined) [run, chosen] = [other, begun];
    }
    if (chosen === undefined && lineOf(live) === jwks.line)
      return Response.json({ keys: jwks.keys });
    if (chosen === undefined) return notRecorded(live, run);
    if (!runs.includes(run)) runs.push(run);
    if (runs.length > MOST_RUNS) runs.shift();
    for (const [name, value] of chosen.found) run.values.set(name, value);
    run.used.set(chosen.exchange, Math.max(0, ...run.used.values()) + 1);
    return writeAnswer(chosen.exchange, { values: run.values, random, key, now: clock.now() });
  }

  function newRun(): Run {
    const values = new Map([['{service}', new URL(baseUrl).origin]]);
    if (provider !== undefined) values.set('{provider}', new URL(provider).origin);
    return { values, used: new Map() };
  }

  /** The run that gave out something that the request has with it. */
  function runOf(live: Points): Run | undefined {
    const sent = [...live.values()].join('\n');
    return runs.findLast(({ values }) =>
      [...values].some(([name, value]) => isOfRegistration(name) && sent.includes(value)),
    );
  }

  function match(run: Run, exchange: Recorded, live: Points): Match {
    const found = new Map<string, string>();
    const known = (name: string) => found.get(name) ?? run.values.get(name);
    const take: Names['take'] = (name, value) => {
      const wanted = known(name);
      if (!isChecked(name) || wanted === value) return true;
      if (wanted !== undefined || given.has(name)) return false;
      found.set(name, value);
      return true;
    };
    return { exchange, found, differences: compare(exchange.points, live, { known, take }) };
  }

  /**
   * The first that was not answered yet, of those that were recorded in the state that the agent has brought about;
   * then the last one again.
   */
  function choose(run: Run, live: Points): Match | undefined {
    const fits = exchanges
      .map((exchange) => match(run, exchange, live))
      .filter(({ differences }) => differences.length === 0);
    const lastUse = ({ exchange }: Match) => run.used.get(exchange) ?? 0;
    const unused = fits.filter((each) => lastUse(each) === 0);
    const [latest] = fits
      .filter((each) => lastUse(each) > 0)
      // An agent that polled too soon is told so once (RFC 8628 §3.5).
      .sort((a, b) => Number(isSlowDown(a)) - Number(isSlowDown(b)) || lastUse(b) - lastUse(a));
    return unused.find(({ exchange }) => isDue(exchange, run)) ?? latest ?? unused[0];
  }

  function isDue(exchange: Recorded, { used }: Run): boolean {
    const isRelated = ({ isTurn, names }: Recorded) =>
      isTurn && names.some((name) => exchange.names.includes(name));
    return exchanges
      .filter((turn) => turn !== exchange && isRelated(turn))
      .every((turn) => used.has(turn) === turn.number < exchange.number);
  }

  /** Says what is nearest, and in what it differs. */
  function notRecorded(live: Points, run: Run): Response {
    const [nearest] = exchanges
      .map((exchange) => match(run, exchange, live))
      .sort((one, other) => farness(one) - farness(other));
    const { differences = [], exchange } = nearest ?? {};
    const shown = differences.map(({ at, got, recorded }) => `${at} was ${recorded}, now ${got}`);
    return problem(
      `${lineOf(live)} was never recorded. The nearest that was recorded is exchange ${exchange?.number}, ${lineOf(exchange?.points)}: ${shown.join('; ')}.`,
      { request: lineOf(live), nearest: { exchange: exchange?.number, differences } },
    );
  }

  return { answer, recorded: exchanges.length };
}

/** The exchanges with the service, and the names of what it gave out: no agent can bring another value for them. */
function readRecording({ exchanges }: Transcript) {
  const given = new Set<string>();
  const brought = new Set<string>();
  const recorded = exchanges.map((exchange, index): Recorded => {
    const { request, response } = exchange;
    const [sent, answered] = [namesIn(request), namesIn(response)];
    const gives = answered.filter((name) => !given.has(name) && isOfRegistration(name));
    const isBeginning = gives.length > 0 && !sent.some((name) => given.has(name));
    for (const name of sent) if (!given.has(name)) brought.add(name);
    for (const name of answered) if (!brought.has(name)) given.add(name);
    const { headers, status } = response;
    const isPage = /^text\/html/.test(headers['content-type'] ?? '');
    return {
      ...exchange,
      number: index + 1,
      points: recordedPoints(exchange),
      names: sent.filter(isOfRegistration),
      isBeginning,
      isTurn: request.method !== 'GET' && status !== null && status < 300 && !isPage,
    };
  });
  return { exchanges: recorded.filter(({ to }) => to === 'service'), given };
}

function isSlowDown({ exchange }: Match): boolean {
  const { body } = exchange.response;
  return isJsonObject(body) && body['error'] === 'slow_down';
}

/** RFC 9457; `error` is what OAuth clients show. */
function problem(detail: string, members: object = {}): Response {
  const title = 'This request was never recorded.';
  const error = { error: 'not_recorded', error_description: detail };
  const body = { type: 'about:blank', status: 501, title, detail, ...error, ...members };
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status: 501, headers });
}

/** How far a request is from a recorded one: another place is farther than any difference at the same one. */
function farness({ differences }: Match): number {
  const isElsewhere = differences.some(({ at }) => at === 'path' || at === 'method');
  return differences.length + (isElsewhere ? 1_000 : 0);
}

/** Where agents look for the keys, by the recorded metadata, and what they find: one key by each recorded name. */
function keySet(exchanges: readonly Recorded[], key: ReplayKey) {
  const text = JSON.stringify(exchanges.map(({ response }) => response.body));
  const [, path] = /"jwks_uri":"\{service\}([^"]+)"/.exec(text) ?? [];
  const kids = new Set(Array.from(text.matchAll(/"kid":"\{(kid_\d+)\}"/g), ([, kid = '']) => kid));
  return { line: `GET ${path}`, keys: [...kids].map((kid) => key.published(kid)) };
}

function lineOf(points: Points | undefined): string {
  return `${points?.get('method')} ${maskPath(points?.get('path') ?? '')}`;
}
