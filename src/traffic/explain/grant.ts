import {
  AUTHORIZATION_CODE_GRANT,
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import type { Receiver } from '../exchange.ts';
import type { Step } from './step.ts';

/**
 * Which step a request at a token endpoint is, by its `grant_type`. An assertion of a registration comes without
 * client credentials, and an ID-JAG with them (wire contract §13).
 */
export function stepOfGrant(to: Receiver, grant: unknown, namesClient: boolean): Step {
  if (typeof grant !== 'string') return 'token';
  if (grant === JWT_BEARER_GRANT) return namesClient ? 'redeem' : 'exchange';
  if (grant === AUTHORIZATION_CODE_GRANT) return 'redeem_code';
  if (grant === TOKEN_EXCHANGE_GRANT) return 'mint';
  if (grant === 'refresh_token') return 'refresh';
  if (grant === DEVICE_CODE_GRANT) return to === 'provider' ? 'device_poll' : 'poll';
  return CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending)) ? 'poll' : 'token';
}
