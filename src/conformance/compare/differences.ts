import type { Role } from '../engine/model.ts';
import type { Exchange } from '../http/exchange.ts';
import { pathOf, type Step } from './align.ts';
import { documentDifferences } from './document-differences.ts';
import { steadyText } from './steady-text.ts';

/** One way in which a step of two runs differs: what the judged side answered, or what it sent. */
export interface Difference {
  /** `POST /oauth2/token`, as in the first run. */
  readonly request: string;
  /** Where the second run asked for it, if elsewhere. */
  readonly elsewhere?: string;
  /** `answer`: the judged side answered it; `request`: the judged side sent it. */
  readonly of: 'answer' | 'request';
  readonly part: 'step' | 'status' | 'header' | 'member';
  /** The name of the header, or the path of the member: `claim_attempt.interval`. Empty for the other parts. */
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** Headers of an answer that a client acts by. */
const ANSWER_HEADERS = [
  'access-control-allow-headers',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'content-security-policy',
  'content-type',
  'location',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'strict-transport-security',
  'www-authenticate',
  'x-content-type-options',
  'x-frame-options',
];

/** Headers of a request that a service acts by. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-type', 'origin'];

/** Their values are counted from now. */
const COUNTED = new Set(['retry-after']);

interface Runs {
  readonly role: Role;
  readonly targets: { readonly a: string; readonly b: string };
}

/** What differs in one step, as far as the judged side is concerned. */
export function differencesOf({ a, b }: Step, runs: Runs): readonly Difference[] {
  const exchange = a ?? b;
  if (exchange === undefined) return [];
  const of =
    exchange.to === runs.role ? 'answer' : exchange.from === runs.role ? 'request' : undefined;
  if (of === undefined) return [];
  if (a === undefined || b === undefined) {
    const target = a === undefined ? runs.targets.b : runs.targets.a;
    const request = requestOf(exchange, target);
    const [inA, inB] = a === undefined ? ['not sent', 'sent'] : ['sent', 'not sent'];
    return [{ request, of, part: 'step', name: '', a: inA, b: inB }];
  }
  const [request, other] = [requestOf(a, runs.targets.a), requestOf(b, runs.targets.b)];
  const place = { request, ...(other !== request && { elsewhere: other }), of } as const;
  const found = of === 'answer' ? answerDifferences(a, b, runs) : requestDifferences(a, b, runs);
  return found.map((each) => ({ ...place, ...each }));
}

type Found = Pick<Difference, 'part' | 'name' | 'a' | 'b'>;

function requestOf({ request }: Exchange, target: string): string {
  return `${request.method} ${pathOf(request.url, target)}`;
}

/** Of answers that mean different things, the status alone says so. */
function answerDifferences(a: Exchange, b: Exchange, runs: Runs): readonly Found[] {
  const [first, second] = [a.response, b.response];
  const statusA = first === undefined ? 'no answer' : String(first.status);
  const statusB = second === undefined ? 'no answer' : String(second.status);
  const status: readonly Found[] =
    statusA === statusB ? [] : [{ part: 'status', name: '', a: statusA, b: statusB }];
  if (first === undefined || second === undefined || statusA[0] !== statusB[0]) return status;
  return [
    ...status,
    ...headerDifferences(a, b, 'response', ANSWER_HEADERS, runs),
    ...documentDifferences(first, second, runs.targets),
  ];
}

function requestDifferences(a: Exchange, b: Exchange, runs: Runs): readonly Found[] {
  return [
    ...headerDifferences(a, b, 'request', REQUEST_HEADERS, runs),
    ...documentDifferences(a.request, b.request, runs.targets),
  ];
}

function headerDifferences(
  a: Exchange,
  b: Exchange,
  message: 'request' | 'response',
  names: readonly string[],
  { targets }: Runs,
): readonly Found[] {
  return names.flatMap((name): readonly Found[] => {
    const first = headerText(a, message, name, targets.a);
    const second = headerText(b, message, name, targets.b);
    return first === second ? [] : [{ part: 'header', name, a: first, b: second }];
  });
}

function headerText(
  exchange: Exchange,
  message: 'request' | 'response',
  name: string,
  target: string,
): string {
  const values = (exchange[message]?.headers ?? [])
    .filter(([each]) => each.toLowerCase() === name)
    .map(([, value]) => value);
  if (values.length === 0) return 'absent';
  if (COUNTED.has(name)) return 'present';
  const text = steadyText(values.sort().join(', '), target);
  // What was asked for may be an invented name, and an answer may repeat it.
  const asked = pathOf(exchange.request.url, target);
  const own = asked === '/' ? text : text.replaceAll(asked, '‹path›');
  return name === 'content-type' ? own.toLowerCase().replace(/\s*;\s*/g, '; ') : own;
}
