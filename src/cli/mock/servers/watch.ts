import type { FetchHandler } from '../../../mock/http/app.ts';
import { maskPath } from '../../../protocol/mask-tokens.ts';
import { displayText } from '../../../protocol/text.ts';
import type { Log, LogFields } from '../../../runtime/ports.ts';
import type { Context } from '../../shell/context.ts';
import type { Rendering } from '../../shell/output.ts';
import { statusText } from '../../terminal/exchange-line.ts';
import { clockTime, isoTime } from '../../terminal/time.ts';

type Part = 'service' | 'provider';

/** The application, with a line for each request that it answered: no token, no query, no header, no body. */
export function watchRequests(context: Context, part: Part, handler: FetchHandler): FetchHandler {
  const { clock } = context.world;
  return async (request, ...rest) => {
    const at = clock.now();
    const response = await handler(request, ...rest);
    context.output.event(
      presentRequest({
        part,
        at,
        method: request.method,
        path: maskPath(new URL(request.url).pathname),
        status: response.status,
        ms: clock.now() - at,
      }),
    );
    return response;
  };
}

/** The log of a mock: its events other than requests. */
export function eventLog(context: Context, part: Part): Log {
  const report = (event: string, fields: LogFields = {}) => {
    context.output.event(presentEvent({ part, at: context.world.clock.now(), event, fields }));
  };
  return {
    debugs: false,
    debug: () => {},
    // The ready line covers this one.
    info: (event, fields) => {
      if (event !== 'http.listening') report(event, fields);
    },
    warn: report,
  };
}

/** A request that a mock answered. */
interface ServedRequest {
  readonly part: Part;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

function presentRequest(request: ServedRequest): Rendering {
  const { part, at, method, status, ms } = request;
  // The path is untrusted text.
  const path = displayText(request.path, 200);
  return {
    schema: 'mockEvent',
    json: () => ({ event: 'request', part, at: isoTime(at), method, path, status, ms }),
    human: (style) =>
      `${style.dim(clockTime(at))}  ${part.padEnd(8)}  ${statusText(style, status)}  ${method.padEnd(4)} ${path}`,
  };
}

/** An event in the log of a mock that is no request. */
interface MockEvent {
  readonly part: Part;
  readonly at: number;
  readonly event: string;
  readonly fields: LogFields;
}

function presentEvent({ part, at, event, fields }: MockEvent): Rendering {
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
