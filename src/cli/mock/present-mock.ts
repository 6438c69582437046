import { displayText } from '../../protocol/text.ts';
import type { LogFields } from '../../runtime/ports.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import type { Style } from '../terminal/style.ts';
import { clockTime, isoTime } from '../terminal/time.ts';

/** Where the mocks of this process answer. */
export interface Ready {
  readonly service?: string | undefined;
  readonly provider?: string | undefined;
  /** The file that clients name with `--ca`. */
  readonly ca?: string | undefined;
  /** Things that differ from what was expected, as sentences. */
  readonly remarks: readonly string[];
}

/** Any address does: the mocks' sign-in asks for no password. */
const ALICE = 'alice@example.com';

const USUAL_SERVICE = 'http://127.0.0.1:4800';

/** @param isNoted whether other commands find the mocks by themselves. */
export function presentReady(
  context: Context,
  { service, provider, ca, remarks }: Ready,
  isNoted: boolean,
): Rendering {
  // Elsewhere than usual, a service that was used before would be chosen instead.
  const trust = ca === undefined ? [] : ['--ca', ca];
  const isUsual = service === undefined || (isNoted && service === USUAL_SERVICE);
  const at = isUsual ? [] : [service];
  const steps = [
    ...(service === undefined
      ? []
      : [
          nextLine(context, 'connect', ...at, ...trust),
          nextLine(context, 'connect', ...at, '--scope', 'api.write', '--email', ALICE, ...trust),
        ]),
    ...(provider === undefined
      ? []
      : [nextLine(context, 'connect', ...at, '--provider', provider, ...trust)]),
  ];
  const [next, ...others] = steps;
  return {
    schema: 'mockReady',
    json: () => ({
      event: 'ready',
      service: service ?? null,
      provider: provider ?? null,
      ca: ca ?? null,
      pid: process.pid,
      remarks,
      next: next ?? null,
      others,
    }),
    human: (style) =>
      [
        ...remarks.map((remark) => `${style.yellow('!')} ${remark}`),
        `${style.green('✓')} Ready. Ctrl-C stops.`,
        facts(style, [
          ['service', service && style.bold(service)],
          ['provider', provider && style.bold(provider)],
          ['authority', ca],
        ]),
        '',
        'In another terminal:',
        ...steps.map(({ line }) => `  ${style.cyan(line)}`),
        '',
      ].join('\n'),
  };
}

/** One request that a mock answered. */
export interface ServedRequest {
  readonly part: 'service' | 'provider';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

export function presentRequest(request: ServedRequest): Rendering {
  const { part, at, method, status, ms } = request;
  // A request line is a stranger's text.
  const path = displayText(request.path, 200);
  return {
    schema: 'mockEvent',
    json: () => ({ event: 'request', part, at: isoTime(at), method, path, status, ms }),
    human: (style) =>
      `${style.dim(clockTime(at))}  ${part.padEnd(8)}  ${statusText(style, status)}  ${method.padEnd(4)} ${path}`,
  };
}

/** Something else that a mock tells. */
export interface MockEvent {
  readonly part: 'service' | 'provider';
  readonly at: number;
  readonly event: string;
  readonly fields: LogFields;
}

export function presentEvent({ part, at, event, fields }: MockEvent): Rendering {
  const texts = Object.entries(fields).map(
    ([name, value]) => `${name}=${displayText(String(value), 200)}`,
  );
  return {
    schema: 'mockEvent',
    json: () => ({ event, part, at: isoTime(at), fields }),
    human: (style) =>
      `${style.dim(clockTime(at))}  ${part.padEnd(8)}  ${style.yellow(event)}  ${texts.join(' ')}`,
  };
}

function statusText(style: Style, status: number): string {
  const paint = status < 300 ? style.green : status < 400 ? style.cyan : style.yellow;
  return paint(String(status));
}
