/** A JSON Web Key (RFC 7517 §4, RFC 7518 §6, RFC 8037): a private one where it has `d`. */
export interface Jwk {
  kty?: string;
  kid?: string;
  alg?: string;
  use?: string;
  key_ops?: string[];
  ext?: boolean;
  x5c?: string[];
  x5t?: string;
  'x5t#S256'?: string;
  x5u?: string;
  crv?: string;
  x?: string;
  y?: string;
  d?: string;
  n?: string;
  e?: string;
  p?: string;
  q?: string;
  dp?: string;
  dq?: string;
  qi?: string;
  k?: string;
}

/** RFC 7517 §5. */
export interface JwkSet {
  keys: Jwk[];
}

/** What only a private or a shared key has (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
export const PRIVATE_KEY_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
