import type { Actor, Step, Transcript } from '../../exchanges/index.ts';
import { isJsonObject } from '../../protocol/index.ts';
import type { Clock, Fetch, Random, Sleep } from '../../runtime/index.ts';
import { NetworkError } from '../../runtime/index.ts';
import { Bindings } from '../bindings.ts';
import type { Difference } from '../match/index.ts';
import { type RecordedExchange, readRecording, TranscriptError } from '../recording/index.ts';
import { bindAnswer } from './bind-answer.ts';
import { buildRequest, codesIn, MissingValue } from './build-request.ts';
import { compareAnswer } from './compare-answer.ts';
import { fieldsOf, type LiveAnswer, liveAnswer } from './live-answer.ts';

export interface ReplayedAgentOptions {
  readonly transcript: Transcript;
  /** The service that is sent to: its origin. */
  readonly service: string;
  /** Without one, what the recorded agent sent to its provider is left out. */
  readonly provider?: string | undefined;
  /** `recorded`: sends what the recorded user sent at the pages. `wait`: a user does it meanwhile. */
  readonly user: 'recorded' | 'wait';
  /** How long is waited for that user, in milliseconds. */
  readonly timeout: number;
  /** Told of each recorded exchange, in their order. */
  readonly onStep: (report: ReplayedStep) => void;
  /** Told where the user decides, before it is waited for them. */
  readonly onUser?: (page: string, code: string | undefined) => void;
  /** Told at the start where `user` is `wait`, and no user did anything at the recorded service. */
  readonly onNobody?: () => void;
  readonly fetch: Fetch;
  readonly sleep: Sleep;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
}

export interface ReplayedStep {
  /** Its number in the transcript, from 1. */
  readonly exchange: number;
  readonly from: Actor;
  readonly step: Step;
  /** As it was recorded: `POST {service}/oauth2/token`. */
  readonly request: string;
  /** `null` where nothing was sent, or nothing came. */
  readonly status: number | null;
  /** `left_out`: not this agent's to send. `failed`: it could not be sent, or got no answer. */
  readonly outcome: 'same' | 'different' | 'left_out' | 'failed';
  readonly reason: string | undefined;
  readonly differences: readonly Difference[];
}

/** RFC 8628 §3.2, in seconds. */
const INTERVAL = 5;
const MAX_INTERVAL = 60;

/**
 * Sends what the recorded agent sent, with the values of the live answers, and compares each answer.
 * @throws TranscriptError for a transcript without an exchange with a service; NetworkError where nothing answers.
 */
export async function replayAgent(options: ReplayedAgentOptions): Promise<void> {
  const { clock, fetch, onStep, onUser, provider, service, signal, sleep, timeout, transcript } =
    options;
  const exchanges = readRecording(transcript);
  if (!exchanges.some(({ to }) => to === 'service')) {
    throw new TranscriptError('$.exchanges', 'has no exchange with a service');
  }
  const origins = new Map([['{service}', new URL(service).origin]]);
  if (provider !== undefined) origins.set('{provider}', new URL(provider).origin);
  const bindings = new Bindings(origins);
  const given = new Set(exchanges.flatMap(({ gives }) => gives));
  let fields: ReadonlyMap<string, string> = new Map();
  let interval = INTERVAL;
  let polled = Number.NEGATIVE_INFINITY;
  let code: string | undefined;
  let isWaiting = false;
  let isReached = false;

  const isOfUser = ({ from, isLoaded, to }: RecordedExchange) =>
    from === 'user' && to === 'service' && !isLoaded;
  if (options.user === 'wait' && !exchanges.some(isOfUser)) options.onNobody?.();
  for (const exchange of exchanges) {
    signal?.throwIfAborted();
    const reason = leftOut(exchange);
    if (reason === undefined) await play(exchange);
    else onStep(report(exchange, 'left_out', { reason }));
  }

  function leftOut(exchange: RecordedExchange): string | undefined {
    const { from, request, to } = exchange;
    if (exchange.isLoaded) return 'loaded by a browser itself';
    if (from === 'service' || from === 'provider') return `sent by the ${from}`;
    if (to === 'provider' && provider === undefined)
      return 'sent to the provider, and none was named';
    if (from !== 'user' || options.user === 'recorded') return undefined;
    if (!isWaiting && to === 'service') tellUser(exchange);
    isWaiting = true;
    return request.method === 'GET' ? 'a page of the user' : 'the user’s to decide';
  }

  function tellUser(exchange: RecordedExchange): void {
    try {
      onUser?.(build(exchange).url, code);
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
    }
  }

  function build(exchange: RecordedExchange) {
    const { random } = options;
    return buildRequest(exchange, { bindings, given, fields, random, now: clock.now() });
  }

  async function play(exchange: RecordedExchange): Promise<void> {
    try {
      const answer = await send(exchange);
      isReached = true;
      bindAnswer(exchange, answer, bindings);
      if (/\bhtml\b/.test(answer.headers.get('content-type') ?? '')) fields = fieldsOf(answer.text);
      interval = intervalIn(answer.body) ?? interval;
      code = codesIn(exchange, bindings) ?? code;
      const differences = compareAnswer(exchange, answer);
      const outcome = differences.length === 0 ? 'same' : 'different';
      onStep(report(exchange, outcome, { differences, status: answer.status }));
    } catch (error) {
      if (!(error instanceof MissingValue || error instanceof NetworkError)) throw error;
      const isLost = error instanceof NetworkError;
      if (isLost && exchange.response.status === null) {
        onStep(report(exchange, 'same', {}));
      } else if (isLost && !isReached) {
        // Nothing answers there: each step after it would only say so again.
        throw error;
      } else {
        onStep(report(exchange, 'failed', { reason: error.message }));
      }
    }
  }

  async function send(exchange: RecordedExchange): Promise<LiveAnswer> {
    const isPoll = exchange.step === 'poll' || exchange.step === 'device_poll';
    const end = clock.now() + timeout;
    for (;;) {
      const recorded = errorIn(exchange.response.body);
      if (isPoll && recorded !== 'slow_down') await pause();
      const { body, headers, method, url } = build(exchange);
      const answer = await liveAnswer(
        await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          ...(body !== undefined && { body }),
          ...(signal !== undefined && { signal }),
        }),
        origins,
      );
      if (isPoll) polled = clock.now();
      const error = errorIn(answer.body);
      const isPending = error === 'authorization_pending' || error === 'slow_down';
      // The user is a person, and takes their time.
      if (!isPoll || !isWaiting || !isPending || error === recorded || clock.now() >= end) {
        if (isPoll && !isPending) isWaiting = false;
        return answer;
      }
      if (error === 'slow_down') interval = Math.min(interval + INTERVAL, MAX_INTERVAL);
    }
  }

  async function pause(): Promise<void> {
    const left = polled + interval * 1_000 - clock.now();
    if (left > 0) await sleep(left, signal);
  }
}

function report(
  { from, index, request, step }: RecordedExchange,
  outcome: ReplayedStep['outcome'],
  {
    differences = [],
    reason,
    status = null,
  }: Partial<Pick<ReplayedStep, 'differences' | 'reason' | 'status'>>,
): ReplayedStep {
  const line = `${request.method} ${request.url.split('?')[0]}`;
  return { exchange: index + 1, from, step, request: line, outcome, status, reason, differences };
}

function errorIn(body: unknown): string | undefined {
  const error = isJsonObject(body) ? body['error'] : undefined;
  if (typeof error === 'string') return error;
  const code = isJsonObject(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** How long to wait between two polls, as the answer that opens a claim says it. */
function intervalIn(body: unknown, depth = 0): number | undefined {
  if (!isJsonObject(body) || depth > 3) return undefined;
  const { interval } = body;
  if (typeof interval === 'number' && interval >= 0) return Math.min(interval, MAX_INTERVAL);
  for (const each of Object.values(body)) {
    const found = intervalIn(each, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
