import type { Transcript } from '../../exchanges/index.ts';
import { ConnectionDropped, type FetchHandler, hostCheck, MISDIRECTED } from '../../mock/index.ts';
import { isJsonObject } from '../../protocol/index.ts';
import type { Clock, Random } from '../../runtime/index.ts';
import { newValue, ReplayKeys, type Writing, writeResponse } from '../answer/index.ts';
import { type LiveRequest, liveRequest, targetOf } from '../match/index.ts';
import {
  isPage,
  type RecordedExchange,
  readRecording,
  TranscriptError,
} from '../recording/index.ts';
import { type Choice, choose } from './choose.ts';
import { notRecorded, notYet, unreadable } from './not-recorded.ts';
import { replayedPage } from './page.ts';
import { replayAsset, replayStartPage } from './pages.ts';
import { connectWords, recordedStarts } from './recorded-starts.ts';
import { type Match, Run } from './run.ts';
import { Runs } from './runs.ts';

export interface ReplayedServiceOptions {
  readonly transcript: Transcript;
  /** The origin at which the replay is reached. */
  readonly baseUrl: string;
  /** Where the provider of the recording is now. Default: the one that a request names first. */
  readonly provider?: string | undefined;
  /** Further names of its host: `HOST` or `HOST:PORT`. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ReplayedService {
  readonly fetch: FetchHandler;
  /** What is not as it was recorded. */
  readonly remarks: readonly string[];
  /** How many of the recorded exchanges with the service there are. */
  readonly recorded: number;
  /** What is typed behind `agent-auth connect URL` to begin as a recorded agent did, for each way once. */
  readonly connects: readonly (readonly string[])[];
}

/** Where no request named it, and nobody said it: that of the mock. */
const SOME_PROVIDER = 'http://127.0.0.1:4801';

/**
 * Answers as the recorded service did, with secrets, ids, keys and times of its own.
 * @throws TranscriptError for a transcript without an exchange with a service.
 */
export async function createReplayedService(
  options: ReplayedServiceOptions,
): Promise<ReplayedService> {
  const { allowedHosts = [], baseUrl, clock, provider, random, transcript } = options;
  const origin = new URL(baseUrl).origin;
  const exchanges = readRecording(transcript).filter(({ to }) => to === 'service');
  if (exchanges.length === 0) {
    throw new TranscriptError('$.exchanges', 'has no exchange with a service');
  }
  const keys = await ReplayKeys.make(exchanges, random);
  const given = new Set(exchanges.flatMap(({ gives }) => gives));
  const shared: [string, string][] = [['{service}', origin]];
  if (provider !== undefined) shared.push(['{provider}', new URL(provider).origin]);
  const runs = new Runs(() => new Run(shared, given));
  const jwksPath = publishedAt(exchanges);

  /** A page that was recorded there is the service's, and comes first. */
  const hasStartPage = exchanges.some(({ request, response }) => {
    return request.method === 'GET' && targetOf(request.url) === '/' && isPage(response);
  });
  const connects = recordedStarts(exchanges).map((start) =>
    connectWords(start, provider ?? SOME_PROVIDER),
  );
  const isOurHost = hostCheck({ issuer: origin, allowedHosts });

  const fetch: FetchHandler = async (request) => {
    if (!isOurHost(request)) return new Response(`${MISDIRECTED}\n`, { status: 421 });
    const live = await liveRequest(request, origin);
    if (live === undefined) return unreadable();
    if (live.method === 'GET' && live.target === '/' && live.wantsPage && !hasStartPage) {
      return replayStartPage(origin, exchanges, connects);
    }
    const found = find(live);
    if (found === undefined) {
      const asset = live.method === 'GET' ? replayAsset(live.target) : undefined;
      if (asset !== undefined) return asset;
      if (live.method === 'GET' && live.target === jwksPath) return jwks(keys);
      const run = runs.of(live) ?? runs.first;
      return notRecorded(
        live,
        exchanges.map((exchange) => run.match(exchange, live)),
      );
    }
    if (!('match' in found.choice) || 'waitsFor' in found.choice) {
      return notYet(live, found.choice);
    }
    return answer(found.run, found.choice.match);
  };

  function find(live: LiveRequest) {
    const own = runs.of(live);
    const fitting = (run: Run, among: readonly RecordedExchange[]) =>
      among
        .map((each) => run.match(each, live))
        .filter(({ differences }) => differences.length === 0);
    if (own !== undefined) {
      const choice = choose(fitting(own, exchanges), { run: own, exchanges });
      return choice && { run: own, choice };
    }
    const fresh = runs.fresh();
    // What needs nothing that was given out fits the same in every run.
    const free = fitting(fresh, exchanges).map(({ exchange }) => exchange);
    const candidates = [...runs.all(), fresh].flatMap((run) => {
      const choice = choose(fitting(run, free), { run, exchanges });
      return choice === undefined ? [] : [{ run, choice }];
    });
    const [best] = candidates.sort(
      (one, other) =>
        one.choice.match.distance - other.choice.match.distance ||
        rank(one.choice) - rank(other.choice),
    );
    if (best === undefined) return undefined;
    // Whatever starts no registration needs no run of its own.
    if (best.run === fresh && !startsRun(best.choice.match.exchange)) {
      return candidates.find(({ run }) => run !== fresh) ?? { ...best, run: runs.keep(fresh) };
    }
    if (best.run === fresh) runs.keep(fresh);
    return best;
  }

  async function answer(run: Run, match: Match): Promise<Response> {
    const { exchange } = match;
    run.use(match);
    const { status, times = {} } = exchange.response;
    if (status === null) throw new ConnectionDropped();
    const keep = (name: string, value: string) => {
      run.bindings.set(name, value);
      runs.note(value, run);
    };
    const valueFor = (name: string) => {
      const known = run.bindings.get(name) ?? keys.kidOf(name);
      if (known !== undefined) return known;
      if (name === '{provider}') return SOME_PROVIDER;
      const value = newValue(name, random);
      keep(name, value);
      return value;
    };
    const now = clock.now();
    const writing: Writing = {
      valueFor,
      known: (name) => run.bindings.get(name),
      keep,
      keys,
      now,
      times,
    };
    const response = await writeResponse(exchange, status, writing, () =>
      replayedPage(exchange, { exchanges, valueFor, now }),
    );
    response.headers.set('date', new Date(now).toUTCString());
    return response;
  }

  return {
    fetch,
    recorded: exchanges.length,
    connects,
    remarks: [
      ...keys.replaced.map(
        (alg) =>
          `The recorded service signed with ${alg}; the replay signs with ES256 in its place.`,
      ),
      ...(endsPending(exchanges)
        ? [
            'The recording ends before its user has decided: an agent that polls is told to wait for ever.',
          ]
        : []),
    ],
  };
}

/** What was not said yet comes first. */
function rank(choice: Choice | { readonly waitsFor: RecordedExchange }): number {
  if ('waitsFor' in choice) return 2;
  return choice.isRepeated ? 1 : 0;
}

/** Whether the answer gives an agent that brought nothing what it goes on with. */
function startsRun({ gives, group, needs, step }: RecordedExchange): boolean {
  if (group === undefined || needs.length > 0) return false;
  return step === 'register' || gives.length > 0;
}

const PENDING: ReadonlySet<unknown> = new Set(['authorization_pending', 'slow_down']);

/** Whether the last poll of a claim was told to wait: the last answer is repeated. */
function endsPending(exchanges: readonly RecordedExchange[]): boolean {
  const last = new Map<number | undefined, unknown>();
  for (const { group, isTurn, response, step } of exchanges) {
    const error = isJsonObject(response.body) ? response.body['error'] : undefined;
    if (step === 'poll' || isTurn) last.set(group, step === 'poll' ? error : undefined);
  }
  return [...last.values()].some((error) => PENDING.has(error));
}

/** Where agents look for the keys, by the recorded metadata. */
function publishedAt(exchanges: readonly RecordedExchange[]): string | undefined {
  for (const { response } of exchanges) {
    const uri = isJsonObject(response.body) ? response.body['jwks_uri'] : undefined;
    if (typeof uri === 'string' && uri.startsWith('{service}')) return targetOf(uri);
  }
  return undefined;
}

function jwks(keys: ReplayKeys): Response {
  return new Response(JSON.stringify(keys.jwks()), {
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
  });
}
