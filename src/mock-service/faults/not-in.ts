import type { DialectId } from '../../protocol/index.ts';
import { ASSERTION_FAULTS } from './assertion-faults.ts';
import { EXCHANGE_FAULTS } from './exchange-faults.ts';
import { GRANT_FAULTS } from './grant-faults.ts';
import { POLL_FAULTS } from './poll-faults.ts';
import { REVOCATION_FAULTS } from './revocation-faults.ts';
import { TARGET_FAULTS } from './target-faults.ts';
import { TOKEN_ANSWER_FAULTS } from './token-answer-faults.ts';

/** Faults that a dialect has nothing for. */
interface NothingFor {
  /** Of the dialect: what it has not. */
  readonly reason: string;
  readonly faults: readonly string[];
}

/** Of the same families, but about calls of a resource. */
const OF_RESOURCES: ReadonlySet<string> = new Set([
  'wrongBadTokenStatus403',
  'wrongBadTokenStatus400',
  'wrongChallengeCharacters',
]);

const OF_THE_TOKEN_ENDPOINT = Object.keys({
  ...EXCHANGE_FAULTS,
  ...GRANT_FAULTS,
  ...ASSERTION_FAULTS,
  ...TARGET_FAULTS,
  ...REVOCATION_FAULTS,
  ...TOKEN_ANSWER_FAULTS,
  ...POLL_FAULTS,
}).filter((name) => !OF_RESOURCES.has(name));

/** What is wrong with a poll, or with what one delivers. */
const OF_THE_CLAIM_GRANT = [
  ...Object.keys(POLL_FAULTS),
  'wrongMissingClaimTokenCode',
  'wrongUnknownClaimTokenCode',
];

/** They decide about a code that its user types on the page. */
const OF_TYPED_CODES: NothingFor = {
  reason: 'has its codes handed in by the agent',
  faults: [
    'uncheckedClaimAccount',
    'uncheckedSubmitAccount',
    'noTryLimit',
    'acceptedExpiredUserCode',
    'acceptedDeniedUserCode',
    'extraRevocationOnRepeat',
    'stalePreClaimTokens',
    'staleAssertionVersion',
    'racyDecision',
  ],
};

/**
 * By dialect. `test/conformance/faults/dialects.test.ts` walks past every endpoint with each fault that rewrites
 * answers, and holds this table against what changed.
 */
export const NOT_IN: Readonly<Partial<Record<DialectId, readonly NothingFor[]>>> = {
  nested: [
    OF_TYPED_CODES,
    { reason: 'has no claim grant', faults: ['missingClaimGrant', ...OF_THE_CLAIM_GRANT] },
    {
      reason: 'has no such member in its answers',
      faults: ['missingClaimToken', 'missingVerificationUri'],
    },
  ],
  first: [
    OF_TYPED_CODES,
    {
      reason: 'has no token endpoint and no assertions',
      faults: [
        ...OF_THE_TOKEN_ENDPOINT,
        'exposedAssertion',
        'wrongGrantCode',
        'wrongTokenCacheControl',
        'wrongTokenErrorBody',
        'wrongTokenErrorMediaType',
        'wrongTokenErrorStatus',
        'refusedExchange',
        'missingGrantedScope',
        'extraRefreshTokenForIdJag',
        'acceptedJwtAsAssertion',
        'missingTokenTyp',
      ],
    },
    {
      reason: 'has no such member in its metadata',
      faults: [
        'missingTokenEndpoint',
        'missingRevocationEndpoint',
        'missingGrantTypes',
        'extraGrantType',
        'missingAuthMethods',
        'missingGrantProfile',
        'missingIdentityEndpoint',
        'missingClaimEndpoint',
        'missingEventsEndpoint',
      ],
    },
    {
      reason: 'mails the code and answers without a claim block',
      faults: [
        'missingVerificationUri',
        'wrongSecondsType',
        'exposedUserCodeInLink',
        'exposedClaimTokenInLink',
        'longVerificationUri',
        'wrongUserCodeAlphabet',
      ],
    },
    {
      reason: 'spells errors as error and message',
      faults: ['unescapedErrorDescription'],
    },
  ],
};
