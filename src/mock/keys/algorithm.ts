/**
 * What this program signs with. RS256 is what verifiers take that were told nothing (OpenID Connect Core §15.1). EdDSA
 * and RS256 signatures are repeatable, ES256 ones are not.
 */
export type SigningAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = ['ES256', 'RS256', 'EdDSA'];
