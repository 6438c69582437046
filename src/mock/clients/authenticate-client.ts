import { createLocalJWKSet, jwtVerify } from 'jose';
import { isClientId } from '../../protocol/client-id.ts';
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
  /** Told of each client that is refused, and once that any is taken. */
  readonly log: Log;
  /** Whether a client assertion was not taken before; from then on it was (RFC 7523 §3). */
  readonly spend: (assertion: SpentAssertion) => Promise<boolean>;
}

/** Why a client is not taken: an error code of RFC 6749 §5.2. */
export type ClientProblem = 'invalid_client' | 'invalid_request';

/** @returns the client, or the code that it is refused with. */
export async function authenticateClient(
  presented: PresentedClient,
  rules: ClientRules,
): Promise<AuthenticatedClient | ClientProblem> {
  switch (presented.by) {
    case 'several':
      return 'invalid_request';
    case 'nothing':
    case 'unreadable':
      return 'invalid_client';
    case 'id':
      return takesNothing(rules, presented.id) ? { id: presented.id } : 'invalid_client';
    case 'basic':
    case 'post': {
      const method = presented.by === 'basic' ? 'client_secret_basic' : 'client_secret_post';
      const pair = presented.pairs.find(({ id, secret }) => knows(rules, method, id, secret));
      if (pair === undefined) return 'invalid_client';
      return { id: pair.id, ...(pair.isRaw && { isRaw: true }) };
    }
    case 'assertion':
      return byAssertion(presented, rules);
  }
}

const isOpen = ({ clients }: ClientRules) => clients.length === 0;

function takesNothing(rules: ClientRules, id: string): boolean {
  if (isOpen(rules)) return rules.allowPublic && isClientId(id);
  return rules.clients.some((each) => each.id === id && each.methods.includes('none'));
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
): Promise<AuthenticatedClient | ClientProblem> {
  const subject = decodeJwt(assertion)?.payload['sub'];
  if (isOpen(rules)) {
    const named = id ?? subject;
    return typeof named === 'string' && isClientId(named) ? { id: named } : 'invalid_client';
  }
  const client = rules.clients.find((each) => each.id === subject);
  if (client?.keys === undefined || !client.methods.includes('private_key_jwt')) {
    return 'invalid_client';
  }
  if (id !== undefined && id !== client.id) return 'invalid_client';
  const payload = await verified(assertion, client, client.keys, rules);
  const { exp, jti } = payload ?? {};
  if (exp === undefined || jti === undefined || !isShortText(jti) || !isStorableText(jti)) {
    return 'invalid_client';
  }
  const isFresh = await rules.spend({ clientId: client.id, jti, until: toMilliseconds(exp) });
  return isFresh ? { id: client.id } : 'invalid_client';
}

/** The claims of a client assertion that is signed by the client, for this server, and has not expired. */
async function verified(
  assertion: string,
  { id }: Client,
  { keys }: NonNullable<Client['keys']>,
  { audiences, clock }: ClientRules,
): Promise<{ readonly exp?: number; readonly jti?: string } | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [...keys] }), {
      algorithms: [...ACCEPTED_ALGORITHMS],
      audience: [...audiences],
      issuer: id,
      subject: id,
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(clock.now()),
    });
    return typeof payload.jti === 'string' && payload.jti !== '' ? payload : undefined;
  } catch {
    // jose names what was wrong; whoever cannot sign is told nothing (RFC 6749 §5.2).
    return undefined;
  }
}
