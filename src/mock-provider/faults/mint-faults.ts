import { wireProblem } from '../../mock/http/response.ts';
import { on, withMembers } from '../../mock/http/tamper.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { HOUR } from '../../protocol/durations.ts';
import { PATHS } from '../config/paths.ts';
import { ageless, exchanging, type ProviderFault, saying, signing, tampered } from './rewiring.ts';

export const isMint = (path: string, response: Response) => path === PATHS.token && response.ok;

/** Faults: what it does wrong when it is asked for ID-JAGs. */
export const MINT_FAULTS = {
  wrongIdJagAudience: {
    description: 'issues ID-JAGs for another service (RFC 8693 §2.1, audience)',
    decisions: saying('idJag', () => ({ aud: 'https://other.example' })),
  },
  wrongIdJagTyp: {
    description: 'issues ID-JAGs with another typ (RFC 8725 §3.11)',
    decisions: signing('idJag', ({ claims }) => ({ typ: 'JWT', claims })),
  },
  wrongEmailVerified: {
    description: 'says that the email is not verified',
    decisions: saying('idJag', () => ({ email_verified: false })),
  },
  missingAuthTime: {
    description: 'leaves auth_time out',
    decisions: saying('idJag', () => ({ auth_time: undefined })),
  },
  longIdJagLifetime: {
    description: 'issues ID-JAGs that live for two hours',
    config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, idJag: 2 * HOUR } }),
  },
  repeatedJti: {
    description: 'gives every ID-JAG the same jti (RFC 7519 §4.1.7)',
    decisions: saying('idJag', () => ({ jti: 'jag_0' })),
  },
  wrongIdJagSignature: {
    description: 'issues ID-JAGs with a wrong signature (RFC 7517 §5)',
    parts: tampered(JWT_TYPE.idJag),
  },
  wrongIdJagIssuer: {
    description: 'names another issuer in its ID-JAGs (ID-JAG §3.1, iss)',
    decisions: saying('idJag', () => ({ iss: 'https://other.example' })),
  },
  wrongIdJagClientId: {
    description: 'names another client in its ID-JAGs',
    decisions: saying('idJag', () => ({ client_id: 'another-client' })),
  },
  missingEmail: {
    description: 'leaves the email out of its ID-JAGs',
    decisions: saying('idJag', () => ({ email: undefined, email_verified: undefined })),
  },
  uncheckedSessionAge: {
    description: 'issues ID-JAGs however long ago the sign-in was (ID-JAG §9.2)',
    decisions: ageless,
  },
  refusedPublicClient: {
    description: 'refuses a client without a secret (RFC 6749 §2.1)',
    parts: exchanging((right) => async (provider, form, client) => {
      if (form.get('client_secret') !== undefined) return right(provider, form, client);
      throw wireProblem('provider', 'invalid_client');
    }),
  },
  missingIssuedTokenType: {
    description: 'leaves issued_token_type out (RFC 8693 §2.2.1)',
    answers: on(isMint, withMembers({ issued_token_type: undefined })),
  },
  wrongTokenType: {
    description: 'calls an ID-JAG a bearer token (ID-JAG §4.3.4)',
    answers: on(isMint, withMembers({ token_type: 'Bearer' })),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
