/** What this program signs with. EdDSA signatures are repeatable, ES256 ones are not. */
export type SigningAlgorithm = 'ES256' | 'EdDSA';

export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = ['ES256', 'EdDSA'];
