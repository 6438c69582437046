import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isJwtType } from '../../protocol/jwt.ts';
import type { ProviderConfig } from '../config/config.ts';
import { subjectForClient } from '../users/user-claims.ts';

/** An ID token that came back, its signature verified. */
export interface IdTokenFacts {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly config: ProviderConfig;
  /** The client that sent it. */
  readonly clientId: string;
  /** The time, in milliseconds. */
  readonly now: number;
}

/** A check of an ID token. */
export interface IdTokenCheck {
  readonly name: string;
  readonly description: string;
  readonly holds: (facts: IdTokenFacts) => boolean;
}

/** Checks of an ID token that this provider issued to its client. */
export const ID_TOKEN_CHECKS: readonly IdTokenCheck[] = [
  {
    name: 'type',
    description: '`typ` is that of an ID token: the same key signs other JWTs (RFC 8725 §3.12).',
    holds: ({ header }) => isJwtType(header['typ'], JWT_TYPE.idToken),
  },
  {
    name: 'issuer',
    description: 'This provider issued it.',
    holds: ({ claims, config }) => claims['iss'] === config.issuer,
  },
  {
    name: 'audience',
    description: 'It was issued to the client that sent it.',
    holds: ({ claims, clientId }) => claims['aud'] === clientId,
  },
  {
    name: 'end',
    description: 'It has not expired.',
    holds: ({ claims: { exp }, now }) => typeof exp === 'number' && now < exp * SECOND,
  },
  {
    name: 'subject',
    description: '`sub` belongs to the user that `email` names.',
    holds: ({ claims: { email, sub }, clientId, config }) =>
      typeof email === 'string' && sub === subjectForClient(config, email, clientId),
  },
];
