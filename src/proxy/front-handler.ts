import type { FetchHandler } from '../mock/http/app.ts';
import { type HostCheck, MISDIRECTED } from '../mock/http/host-check.ts';
import { recordExchanges } from '../mock/traffic/record-exchanges.ts';
import { passAnswer } from './pass-answer.ts';
import { type PassedRequest, passRequest } from './pass-request.ts';
import type { Place } from './place.ts';
import { proxyProblem } from './problem.ts';
import { type Sent, send } from './send.ts';

/** What the proxy answers for one origin. Never rejects. */
export function frontHandler(place: Place, isOurHost: HostCheck): FetchHandler {
  return async (request) => {
    if (!isOurHost(request)) {
      const detail = MISDIRECTED.replace(' (in the library: allowedHosts)', '');
      return proxyProblem({ status: 421, error: 'http_request_error', detail });
    }
    // No other request may have that method, the recorded one neither.
    if (request.method === 'TRACE') {
      const detail =
        'The proxy passes no TRACE on: its answer would show the secrets of the request.';
      return proxyProblem({ status: 501, error: 'http_request_denied', detail });
    }
    try {
      return await pass(request, place);
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      place.log.warn('proxy.unexpected', { name });
      const detail = 'The proxy failed while it passed this request on. It goes on.';
      return proxyProblem({ status: 500, error: 'proxy_internal_error', detail });
    }
  };
}

/**
 * What is recorded is what the server sees and says: with its own URLs, as if there were no proxy, so that
 * URLs agree with what is signed.
 */
async function pass(request: Request, place: Place): Promise<Response> {
  const { clock, exchanges, front, log } = place;
  let passed: PassedRequest;
  try {
    passed = await passRequest(request, place);
  } catch {
    const detail = 'The request broke off before its body had ended.';
    return proxyProblem({ status: 400, error: 'http_request_error', detail });
  }
  const refusal = refusedHere(request, place) ?? passed.refusal;
  let sent: Sent | undefined;
  const recorded = recordExchanges(
    async (watched) => {
      sent =
        refusal === undefined
          ? await send(watched, place, request.signal)
          : { answer: refusal, isOwn: true };
      return sent.answer;
    },
    {
      to: front.to,
      log: exchanges,
      clock,
      machineClock: clock,
      report: log,
    },
  );
  const answer = await recorded(passed.request);
  if (sent === undefined || sent.isOwn) return answer;
  return passAnswer({ ...sent, answer }, request, place);
}

/** Upgrades that concern this connection alone, and that most servers ignore anyway (RFC 9113 §3.1). */
const IGNORED_UPGRADE = /^h2c?$/i;

/** What the proxy itself does not do. */
function refusedHere({ headers }: Request, { pseudonym }: Place): Response | undefined {
  if ((headers.get('via') ?? '').includes(pseudonym)) {
    const detail =
      'The request has come through this proxy before: what it stands in front of leads back to it.';
    return proxyProblem({ status: 508, error: 'proxy_loop_detected', detail });
  }
  const upgrade = headers.get('upgrade');
  if (upgrade === null || IGNORED_UPGRADE.test(upgrade.trim())) return undefined;
  const detail =
    'The proxy passes requests and answers on, and no connection that becomes another protocol.';
  return proxyProblem({ status: 501, error: 'http_upgrade_failed', detail });
}
