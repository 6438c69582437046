import { isSameOrigin, type JsonObject } from '../../protocol/index.ts';

/** Whose metadata is believed, and where events may go. */
export interface ReceiverRules {
  /** RFC 8414 §3.3: the document names the issuer that it was asked for. */
  isIssuedBy(document: JsonObject, audience: string): boolean;
  /** On the service's own origin alone. */
  isReceiverOf(endpoint: string, audience: string): boolean;
}

export const RECEIVER_RULES: ReceiverRules = {
  isIssuedBy: (document, audience) => document['issuer'] === audience,
  isReceiverOf: isSameOrigin,
};
