import type { JsonObject } from '../../protocol/json.ts';

/** What is to be signed. */
export interface JwtContent {
  /** The header's `typ`: which kind of JWT it is (RFC 8725 §3.11). */
  readonly typ: string;
  readonly claims: JsonObject;
  /** Members of the header beside those that every JWT of this provider has, or in their place. */
  readonly header?: JsonObject;
}
