import type { JsonObject } from '../../../protocol/json.ts';

/** A provider that the mock service trusts, as it says. */
export interface MockTrusted {
  readonly issuer: string;
  readonly name: string;
  readonly jwksUri: string;
  /** Every issuer that it trusts now. */
  readonly trust: readonly string[];
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

export function readTrusted(body: JsonObject): MockTrusted {
  const { issuer, jwks_uri: jwksUri, name, trust } = body;
  return {
    issuer: String(issuer),
    name: String(name),
    jwksUri: String(jwksUri),
    trust: Array.isArray(trust) ? trust.map(String) : [],
    body,
  };
}
