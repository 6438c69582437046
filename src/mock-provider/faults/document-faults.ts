import { replacing } from '../../mock/config/replacing.ts';
import { atHandler, withoutService } from '../../mock/faults/endpoint.ts';
import { oauthEnvelope } from '../../mock/http/envelopes.ts';
import { transportProblem } from '../../mock/http/response.ts';
import { on, withMembers } from '../../mock/http/tamper.ts';
import { forBrowsers } from '../../mock/pages/page-envelope.ts';
import type { JwkSet } from '../../protocol/jwk.ts';
import { AUTHORIZATION_SERVER_PATH, OPENID_CONFIGURATION_PATH } from '../../protocol/urls.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderFault } from './rewiring.ts';

const keySetUnavailable = (): never => {
  throw transportProblem('unavailable');
};

/** The last key of each algorithm alone. */
export function newestOf({ keys }: JwkSet): JwkSet {
  return {
    keys: keys.filter(({ alg }, at) => !keys.slice(at + 1).some((later) => later.alg === alg)),
  };
}

export const isMetadata = (path: string) =>
  path === AUTHORIZATION_SERVER_PATH || path === OPENID_CONFIGURATION_PATH;

/** Faults: what it does wrong with its documents and keys. */
export const DOCUMENT_FAULTS = {
  wrongKeySetStatus: {
    description: 'answers 503 instead of its keys',
    parts: (mock) => atHandler(mock, { path: PATHS.jwks }, () => keySetUnavailable),
  },
  missingNewKey: {
    description: 'signs with a new key that it does not publish (RFC 7517 §5)',
    // Read once, and served ever after.
    parts: ({ keys }) => {
      const first = keys.jwks();
      return { keys: replacing(keys, { jwks: () => first }) };
    },
  },
  missingOldKey: {
    description: 'stops publishing the old key as soon as there is a new one',
    parts: ({ keys }) => ({ keys: replacing(keys, { jwks: () => newestOf(keys.jwks()) }) }),
  },
  unavailable: {
    description: 'answers 503 to everything but its controls',
    parts: (mock) => withoutService(mock, forBrowsers(mock.site, oauthEnvelope)),
  },
  wrongIssuer: {
    description: 'names another issuer in its metadata (RFC 8414 §3.3)',
    answers: on(isMetadata, withMembers({ issuer: 'https://other.example' })),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
