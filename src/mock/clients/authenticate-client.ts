import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import { isClientId, isDocumentUrl } from '../../protocol/client-id.ts';
import { ACCEPTED_ALGORITHMS } from '../../protocol/constants.ts';
import { decodeJwt, toMilliseconds } from '../../protocol/jwt.ts';
import { isShortText, isStorableText } from '../../protocol/text.ts';
import { constantTimeEqual } from '../../runtime/hash.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
import type { Client, ClientAuthMethod } from './client.ts';
import type { SpentAssertion } from './client-assertions.ts';
import type { PresentedClient } from './presented-client.ts';

/** A client that has shown who it is; a public one says so alone. */
export interface AuthenticatedClient {
  readonly id: string;
  /** Its credentials were taken as they were sent: they were not form-encoded (RFC 6749 §2.3.1). */
  readonly isRaw?: boolean;
}

/** What clients are known by. */
export interface ClientRules {
  /** Empty: any client is taken that shows something. */
  readonly clients: readonly Client[];
  /** Whether a client that shows nothing is taken where none is configured. */
  readonly allowPublic: boolean;
  /** What a client assertion may name as its audience: the issuer, or the endpoint (RFC 7523 §3). */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** Where each client that is refused is noted, and once that any is taken. */
  readonly log: Log;
  /** Whether a client assertion was not taken before; from then on it was (RFC 7523 §3). */
  readonly spend: (assertion: SpentAssertion) => Promise<boolean>;
  /** What clients are that are known by their metadata documents. Left out: there are none. */
  readonly documents?: DescribedClients;
}

/** Clients by the URLs of their metadata documents (draft-ietf-oauth-client-id-metadata-document). */
export interface DescribedClients {
  /**
   * The client that its document describes; a text that says why there is none.
   * @param kid the key that the client signed with.
   */
  find(url: string, kid?: string): Promise<Client | string>;
}

/** Why a client is not taken: an error code of RFC 6749 §5.2. */
export type ClientProblem = 'invalid_client' | 'invalid_request';

/** A client that is not taken. */
export interface ClientRefusal {
  readonly code: ClientProblem;
  /** Why, for the log: whoever cannot authenticate is told nothing (RFC 6749 §5.2). */
  readonly reason?: string;
}

const INVALID: ClientRefusal = { code: 'invalid_client' };
const invalid = (reason: string): ClientRefusal => ({ code: 'invalid_client', reason });

/** @returns the client, or why it is refused. */
export async function authenticateClient(
  presented: PresentedClient,
  rules: ClientRules,
): Promise<AuthenticatedClient | ClientRefusal> {
  switch (presented.by) {
    case 'several':
      return { code: 'invalid_request' };
    case 'nothing':
    case 'unreadable':
      return INVALID;
    case 'id':
      return byIdAlone(presented.id, rules);
    case 'basic':
    case 'post': {
      const method = presented.by === 'basic' ? 'client_secret_basic' : 'client_secret_post';
      const pair = presented.pairs.find(({ id, secret }) => knows(rules, method, id, secret));
      if (pair === undefined) return INVALID;
      return { id: pair.id, ...(pair.isRaw && { isRaw: true }) };
    }
    case 'assertion':
      return byAssertion(presented, rules);
  }
}

const isOpen = ({ clients }: ClientRules) => clients.length === 0;

/** A public client says who it is, and shows nothing. */
async function byIdAlone(
  id: string,
  rules: ClientRules,
): Promise<AuthenticatedClient | ClientRefusal> {
  if (isOpen(rules) && rules.allowPublic) return isClientId(id) ? { id } : INVALID;
  const client = await clientOf(id, rules);
  if (client === undefined || typeof client === 'string') return client ? invalid(client) : INVALID;
  if (client.methods.includes('none')) return { id };
  return client.byDocument ? invalid('Its document says that it authenticates.') : INVALID;
}

/** The client of this id, as it is configured or describes itself; a text that says why it cannot be known. */
async function clientOf(
  id: string,
  rules: ClientRules,
  kid?: string,
): Promise<Client | string | undefined> {
  const known = rules.clients.find((each) => each.id === id);
  return isDescribed(id, rules) ? rules.documents?.find(id, kid) : known;
}

/** Whether the document of a client says what it is: where any is taken, of each that has a URL. */
function isDescribed(id: string, rules: ClientRules): boolean {
  if (rules.documents === undefined) return false;
  if (isOpen(rules)) return isDocumentUrl(id);
  return rules.clients.some((each) => each.id === id && each.byDocument);
}

function knows(rules: ClientRules, method: ClientAuthMethod, id: string, secret: string): boolean {
  if (isOpen(rules)) return isClientId(id) && secret !== '';
  return rules.clients.some(
    (each) =>
      each.id === id &&
      each.methods.includes(method) &&
      each.secret !== undefined &&
      constantTimeEqual(each.secret, secret),
  );
}

/** RFC 7523 §3: `iss` and `sub` are the client, `aud` is the server, it expires, and it works once. */
async function byAssertion(
  { assertion, id }: Extract<PresentedClient, { by: 'assertion' }>,
  rules: ClientRules,
): Promise<AuthenticatedClient | ClientRefusal> {
  const { header, payload } = decodeJwt(assertion) ?? {};
  const subject = payload?.['sub'];
  const named = id ?? subject;
  if (isOpen(rules) && !(typeof named === 'string' && isDescribed(named, rules))) {
    return typeof named === 'string' && isClientId(named) ? { id: named } : INVALID;
  }
  if (typeof subject !== 'string') return invalid('Its assertion has no sub.');
  if (id !== undefined && id !== subject) return invalid('The sub of its assertion is another.');
  const kid = header?.['kid'];
  const client = await clientOf(subject, rules, typeof kid === 'string' ? kid : undefined);
  if (typeof client === 'string') return invalid(client);
  if (client?.keys === undefined || !client.methods.includes('private_key_jwt')) return INVALID;
  const checked = await verified(assertion, client, client.keys, rules);
  if (typeof checked === 'string') return invalid(checked);
  const { exp, jti } = checked;
  const isUsable = typeof jti === 'string' && jti !== '' && isShortText(jti) && isStorableText(jti);
  if (exp === undefined || !isUsable) {
    return invalid('The jti of its assertion is not a short text.');
  }
  const isFresh = await rules.spend({ clientId: client.id, jti, until: toMilliseconds(exp) });
  return isFresh ? { id: client.id } : invalid('Its assertion was used before (jti).');
}

/** The claims of a client assertion that is signed by the client, for this server, and has not expired; else what is wrong. */
async function verified(
  assertion: string,
  { id }: Client,
  { keys }: NonNullable<Client['keys']>,
  { audiences, clock }: ClientRules,
): Promise<{ readonly exp?: number; readonly jti?: string } | string> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [...keys] }), {
      algorithms: [...ACCEPTED_ALGORITHMS],
      audience: [...audiences],
      issuer: id,
      subject: id,
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(clock.now()),
    });
    return payload;
  } catch (error) {
    return whyUnverified(error);
  }
}

function whyUnverified(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    return `The ${error.claim} of its assertion is missing or wrong.`;
  }
  const isUnknown = error instanceof errors.JWKSNoMatchingKey;
  return isUnknown ? 'Its assertion names none of its keys.' : 'Its assertion is not signed by it.';
}
