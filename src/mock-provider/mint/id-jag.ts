import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';
import { subjectForService, userClaims } from '../users/user-claims.ts';
import type { User } from '../users/user-store.ts';
import type { Scopes } from './scopes.ts';

export interface IdJagFacts {
  readonly config: ProviderConfig;
  readonly jti: string;
  /** How long it lives, in seconds. */
  readonly expiresIn: number;
  readonly user: User;
  readonly audience: string;
  /** The client, by the id that the audience knows it by. */
  readonly clientId: string;
  readonly resources: readonly string[];
  readonly scopes: Scopes;
  /** When the user signed in, in seconds, as the session has it. */
  readonly authTime: number;
  /** When it was decided, in milliseconds. A revocation after that is never older than the ID-JAG. */
  readonly decidedAt: number;
}

/** What an ID-JAG says (wire contract §3; draft-ietf-oauth-identity-assertion-authz-grant §3.1). */
export function idJagOf(facts: IdJagFacts): JwtContent {
  const {
    audience,
    authTime,
    clientId,
    config,
    decidedAt,
    expiresIn,
    jti,
    resources,
    scopes,
    user,
  } = facts;
  const iat = Math.floor(decidedAt / SECOND);
  return {
    typ: JWT_TYPE.idJag,
    claims: {
      iss: config.issuer,
      sub: subjectForService(config, user.email, audience),
      aud: audience,
      client_id: clientId,
      jti,
      iat,
      exp: iat + expiresIn,
      auth_time: authTime,
      ...userClaims(user),
      ...(resources.length > 0 && { resource: resources.length === 1 ? resources[0] : resources }),
      ...(scopes !== undefined && { scope: scopes.join(' ') }),
    },
  };
}
