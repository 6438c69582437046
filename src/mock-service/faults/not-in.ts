import type { DialectId } from '../../protocol/constants.ts';
import { CROSS_APP_FAULTS } from './cross-app-faults.ts';

/** Faults that a dialect has nothing for. */
interface NothingFor {
  /** Of the dialect: what it has not. */
  readonly reason: string;
  readonly faults: readonly string[];
}

/** What is wrong with a poll, or with what one delivers. */
const OF_THE_CLAIM_GRANT = ['noSlowDown', 'extraSlowDown', 'noDelivery', 'wrongPendingCode'];

/** They decide about a code that its user types on the page. */
const OF_TYPED_CODES: NothingFor = {
  reason: 'has its codes handed in by the agent',
  faults: ['uncheckedClaimAccount', 'noTryLimit', 'acceptedExpiredUserCode', 'stalePreClaimTokens'],
};

/** They are about ID-JAGs that clients redeem. */
const OF_CROSS_APP: NothingFor = {
  reason: 'has no cross-app access',
  faults: Object.keys(CROSS_APP_FAULTS),
};

/** By dialect. */
export const NOT_IN: Readonly<Partial<Record<DialectId, readonly NothingFor[]>>> = {
  nested: [
    OF_TYPED_CODES,
    OF_CROSS_APP,
    { reason: 'has no claim grant', faults: OF_THE_CLAIM_GRANT },
    { reason: 'has no such member in its answers', faults: ['missingClaimToken'] },
  ],
  first: [
    OF_TYPED_CODES,
    OF_CROSS_APP,
    {
      reason: 'has no token endpoint and no assertions',
      faults: [
        ...OF_THE_CLAIM_GRANT,
        'extraPreClaimScope',
        'stalePreClaimAssertion',
        'ignoredRequestedScope',
        'ignoredRevocation',
        'refusedExchange',
        'missingTokenType',
        'wrongExpiresInType',
        'wrongTokenCacheControl',
        'wrongTokenErrorBody',
        'wrongTokenMediaType',
      ],
    },
    { reason: 'has no such member in its metadata', faults: ['extraGrantType'] },
    {
      reason: 'mails the code and answers without a claim block',
      faults: ['wrongSecondsType', 'exposedUserCodeInLink', 'exposedClaimTokenInLink'],
    },
  ],
};
