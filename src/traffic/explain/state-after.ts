import { isJsonObject, type State } from '../../protocol/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Step } from './step.ts';

/** What an error at a token endpoint says of the registration that is claimed. */
const POLL_ERRORS: Readonly<Record<string, State>> = {
  authorization_pending: 'pending',
  slow_down: 'pending',
  expired_token: 'lapsed',
  access_denied: 'lapsed',
};

/**
 * The state of a registration after an answer, as that shows it (wire contract §8); undefined where it shows none.
 * @param before the state that it was in.
 */
export function stateAfter(
  step: Step,
  exchange: Exchange,
  before: State | undefined,
): State | undefined {
  const { request, response, status } = exchange;
  if (status === null) return undefined;
  const body = isJsonObject(response.body) ? response.body : {};
  const isSuccess = status >= 200 && status < 400;
  switch (step) {
    case 'register':
      if (isJsonObject(body['claim']) || body['error'] === 'interaction_required') return 'pending';
      if (!isSuccess) return undefined;
      return typeOf(request.body) === 'anonymous' ? 'unclaimed' : 'claimed';
    case 'open_claim':
      return isSuccess ? 'pending' : undefined;
    case 'complete_claim': {
      if (!isSuccess) return undefined;
      return isJsonObject(request.body) && request.body['decision'] === 'deny'
        ? 'lapsed'
        : 'claimed';
    }
    case 'poll':
      return isSuccess ? 'claimed' : POLL_ERRORS[String(body['error'])];
    case 'connections':
      return exchange.method === 'POST' && status < 400 && before !== undefined
        ? 'revoked'
        : undefined;
    default:
      return undefined;
  }
}

function typeOf(body: unknown): unknown {
  return isJsonObject(body) ? body['type'] : undefined;
}
