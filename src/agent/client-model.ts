import type { Secret } from '../runtime/index.ts';

/** What one server knows a client by. */
export interface GivenClient {
  readonly id: string;
  /** Its secret there. */
  readonly secret?: Secret | string | undefined;
  /** A private key, as PEM (PKCS #8) or JWK, for `private_key_jwt`. */
  readonly key?: Secret | string | undefined;
}

/** What a client is known by at one server, which alone is shown it. */
export interface KeptClient {
  /** The service's or the provider's. */
  readonly issuer: string;
  readonly clientId: string;
  /** `null`: none. */
  readonly secret: Secret | null;
  /** A private key, as PEM or JWK, for `private_key_jwt`. `null`: none. */
  readonly key: Secret | null;
}

/** Who gets the access that ID-JAGs give (draft-ietf-oauth-identity-assertion-authz-grant §4). */
export interface CrossAppAccess {
  /** The client, by its id at the service. */
  readonly clientId: string;
  /** The client, by its id at the provider. */
  readonly providerClientId: string;
  /** What is asked for; empty: whatever is given. */
  readonly scopes: readonly string[];
}
