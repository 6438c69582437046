import type { FaultCase } from '../fault-case.ts';

/** One scenario, and the checks of it that fail. */
function inOne(scenario: string, fault: string, ...checks: readonly string[]): FaultCase {
  return { fault, scenarios: [scenario], fails: checks.map((check) => `${scenario}.${check}`) };
}

/** The same for a fault of what stands before the mock. */
function before(
  server: NonNullable<FaultCase['server']>,
  scenario: string,
  ...checks: readonly string[]
): FaultCase {
  return { ...inOne(scenario, `${server} before ${scenario}`, ...checks), server };
}

export const TRANSPORT_CASES: readonly FaultCase[] = [
  inOne('methods', 'otherMethodsBreak', 'refused', 'status'),
  inOne('methods', 'otherMethodsUnknown', 'status'),
  inOne('methods', 'noAllow', 'allow'),
  inOne('media-types', 'anyMediaType', 'json-alone', 'form-status'),
  inOne('media-types', 'jsonFormsTaken', 'form-alone', 'form-status'),
  inOne('media-types', 'mediaTypeAsBadRequest', 'json-alone', 'form-status'),
  inOne('media-types', 'mediaTypeParametersRefused', 'spellings'),
  inOne('malformed-json', 'malformedBreaks', 'refused', 'code'),
  inOne('malformed-json', 'jsonErrorsRenamed', 'code'),
  inOne('error-texts', 'errorsAsText', 'json'),
  inOne('error-texts', 'errorsWithoutJsonType', 'media-type'),
  inOne('error-texts', 'errorsUnprocessable', 'status'),
  inOne('error-texts', 'errorsQuote', 'characters'),
  inOne('cache-headers', 'cacheableTokens', 'tokens', 'pragma'),
  inOne('cache-headers', 'pragmaMissing', 'pragma', 'errors'),
  inOne('cache-headers', 'registrationsCacheable', 'registrations'),
  inOne('cache-headers', 'errorsCacheable', 'errors'),
  inOne('cache-headers', 'callsCacheable', 'calls'),
  inOne('cors', 'originReflected', 'credentials'),
  inOne('hostile-json', 'deepBreaks', 'survives'),
  inOne('hostile-json', 'protoFollowed', 'prototypes'),
  inOne('hostile-json', 'duplicatesTaken', 'duplicates'),
  inOne('hostile-json', 'unstorableTaken', 'unstorable-text'),
  inOne('hostile-json', 'unknownMembersRefused', 'unknown-members'),
  inOne('oversized', 'anyLength', 'bodies', 'bodies-status', 'chunks'),
  inOne('oversized', 'largeAsBadRequest', 'bodies-status'),
  inOne('oversized', 'compressedTaken', 'packed'),
  before('lenient', 'oversized', 'headers', 'addresses'),
  inOne('long-values', 'longScopesSlow', 'quick'),
  inOne('long-values', 'longScopesBreak', 'answered'),
  inOne('header-injection', 'addressSplitsHeaders', 'split'),
  inOne('header-injection', 'addressUnquoted', 'challenge'),
  before('lenient', 'smuggling', 'one-answer', 'two-ways', 'odd-lengths', 'folded'),
  before('carelessProxy', 'smuggling', 'one-answer', 'two-lengths'),
  before('lenient', 'trickle', 'head', 'body'),
];
