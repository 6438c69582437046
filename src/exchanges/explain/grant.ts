import {
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import type { Receiver } from '../exchange.ts';
import type { Step } from './step.ts';

/** Which step a request at a token endpoint is, by its `grant_type`. */
export function stepOfGrant(to: Receiver, grant: unknown): Step {
  if (typeof grant !== 'string') return 'token';
  if (grant === JWT_BEARER_GRANT) return 'exchange';
  if (grant === TOKEN_EXCHANGE_GRANT) return 'mint';
  if (grant === 'refresh_token') return 'refresh';
  if (grant === DEVICE_CODE_GRANT) return to === 'provider' ? 'device_poll' : 'poll';
  return CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending)) ? 'poll' : 'token';
}
