import type { FetchHandler } from '../../../mock/http/app.ts';
import { maskPath } from '../../../protocol/mask-tokens.ts';
import type { Log, LogFields } from '../../../runtime/ports.ts';
import type { Context } from '../../shell/context.ts';
import { presentEvent, presentRequest } from '../present-mock.ts';

export type Part = 'service' | 'provider';

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

/** The mocks' log: what they tell by themselves, beside the requests. */
export function eventLog(context: Context, part: Part): Log {
  const report = (event: string, fields: LogFields = {}) => {
    context.output.event(presentEvent({ part, at: context.world.clock.now(), event, fields }));
  };
  return {
    debug: () => {},
    // That it listens is said by the ready line.
    info: (event, fields) => {
      if (event !== 'http.listening') report(event, fields);
    },
    warn: report,
  };
}
