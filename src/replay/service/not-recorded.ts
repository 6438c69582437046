import { maskPath } from '../../protocol/index.ts';
import type { Difference, LiveRequest } from '../match/index.ts';
import type { Blocked } from './choose.ts';
import { recordedLine, replayProblemPage } from './pages.ts';
import type { Match } from './run.ts';

const MAX_SHOWN = 5;

type Answer = Response | Promise<Response>;

/** Says of a request that the recording has no answer for it, what it has, and what is nearest (RFC 9457). */
export function notRecorded(live: LiveRequest, matches: readonly Match[]): Answer {
  const request = lineOf(live);
  const nearest = [...matches]
    .sort((one, other) => farness(one) - farness(other))
    .slice(0, MAX_SHOWN);
  const [first] = nearest;
  const what =
    first === undefined
      ? 'The transcript has no exchange with the service.'
      : `The nearest that was recorded is exchange ${first.exchange.index + 1}, ${recordedLine(first.exchange)}: ${first.differences.map(sentence).join('; ')}.`;
  return problem(live, {
    title: 'This request was never recorded.',
    detail: `${request} was never recorded. ${what}`,
    request,
    nearest: nearest.map(({ differences, exchange }) => ({
      exchange: exchange.index + 1,
      request: recordedLine(exchange),
      step: exchange.step,
      differences,
    })),
  });
}

/** Says that an answer was recorded, but after something that has not happened here. */
export function notYet(live: LiveRequest, { match, waitsFor }: Blocked): Answer {
  const who = waitsFor.from === 'agent' ? 'the agent' : `the ${waitsFor.from}`;
  const hint = waitsFor.from === 'agent' ? '' : ' Do that first.';
  return problem(live, {
    title: 'This request was recorded later only.',
    detail: `${lineOf(live)} was recorded as exchange ${match.exchange.index + 1}, after ${who} had sent ${recordedLine(waitsFor)} (exchange ${waitsFor.index + 1}).${hint}`,
    request: lineOf(live),
    waits_for: {
      exchange: waitsFor.index + 1,
      request: recordedLine(waitsFor),
      from: waitsFor.from,
    },
  });
}

export function unreadable(): Answer {
  return problem(undefined, {
    title: 'The body of this request cannot be read.',
    detail: 'It is longer than 1 MB, is no UTF-8, or broke off.',
  });
}

/** For programs as a problem, for browsers as a page. */
function problem(
  live: LiveRequest | undefined,
  members: { readonly title: string; readonly detail: string; readonly [name: string]: unknown },
): Answer {
  const { detail, title } = members;
  if (live?.wantsPage === true) return replayProblemPage(title, detail, 501);
  const body = {
    type: 'about:blank',
    status: 501,
    // What OAuth clients show.
    error: 'not_recorded',
    error_description: detail,
    ...members,
  };
  return new Response(JSON.stringify(body), {
    status: 501,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}

function farness({ differences, distance, exchange }: Match): number {
  // Another place is farther than any difference at the same one.
  const isElsewhere = differences.some(({ at }) => at === 'path' || at === 'method');
  return differences.length * 100 + (isElsewhere ? 10_000 : 0) + distance + exchange.index / 1e6;
}

function sentence({ at, got, recorded }: Difference): string {
  return `${at} was ${recorded}, now ${got}`;
}

function lineOf({ method, target }: LiveRequest): string {
  const [path = ''] = target.split('?');
  return `${method} ${maskPath(path)}`;
}
