import type { JsonObject } from '../../protocol/json.ts';
import { isLoopbackHost, parsedUrl } from '../../protocol/urls.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { User } from './user-store.ts';

/** The claims about a user that an ID token and an ID-JAG share. */
export function userClaims({ email, emailVerified, name, phone, tenant }: User) {
  return {
    email,
    email_verified: emailVerified,
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(tenant !== undefined && { tenant }),
  };
}

interface UserInfoFacts {
  readonly config: ProviderConfig;
  readonly user: User;
  /** Whose sign-in it is of. */
  readonly clientId: string;
  /** The scopes of the sign-in. */
  readonly scopes: readonly string[];
}

/** What is said of a user: `sub` is that of the ID token, the rest goes by scope (OpenID Connect Core §5.3.2, §5.4). */
export function userInfoOf({ clientId, config, scopes, user }: UserInfoFacts): JsonObject {
  const claims: JsonObject = userClaims(user);
  const told = Object.entries(SCOPES).filter(
    ([name, scope]) => scopes.includes(scope) && name in claims,
  );
  const sub = subjectForClient(config, user.email, clientId);
  return { sub, ...Object.fromEntries(told.map(([name]) => [name, claims[name]])) };
}

/** The scope that a claim is told by. */
const SCOPES: Readonly<Record<string, string>> = {
  name: 'profile',
  email: 'email',
  email_verified: 'email',
  phone_number: 'phone',
  phone_number_verified: 'phone',
};

type Naming = Pick<ProviderConfig, 'issuer' | 'subjectType'>;

/** The `sub` that a client is told: in an ID token, and in the user info. */
export function subjectForClient(
  config: Naming & Pick<ProviderConfig, 'clients'>,
  email: string,
  clientId: string,
): string {
  return subjectOf(config, email, () => sectorOfClient(config.clients, clientId));
}

/** The `sub` that a service is told: in an ID-JAG, and in the event that takes it back. */
export function subjectForService(config: Naming, email: string, issuer: string): string {
  return subjectOf(config, email, () => sectorOfService(issuer));
}

/**
 * The `sub` of a user: the same at every start, in every store, for one email at one issuer, and never
 * that of another user (draft-ietf-oauth-identity-assertion-authz-grant §3.1).
 * @param sector who is told: a pairwise one is another for each. It has no secret salt, so that tests can repeat it.
 */
function subjectOf({ issuer, subjectType }: Naming, email: string, sector: () => string): string {
  const told = subjectType === 'pairwise' ? [issuer, sector(), email] : [issuer, email];
  return `usr_${sha256(JSON.stringify(told)).slice(0, 27)}`;
}

/**
 * Who is told a pairwise `sub` (OpenID Connect Core §8.1): the clients of one host of redirects see the same user. A
 * client of several hosts, or at a loopback address, which is everybody's, sees its own.
 */
function sectorOfClient(clients: ProviderConfig['clients'], clientId: string): string {
  const { redirectUris = [] } = clients.find(({ id }) => id === clientId) ?? {};
  const [host, another] = new Set(redirectUris.map((uri) => new URL(uri).hostname));
  if (host === undefined || another !== undefined || isLoopbackHost(host)) return clientId;
  return host;
}

/**
 * The same of a service: its ID-JAGs have the `sub` that their user would sign in there with
 * (draft-ietf-oauth-identity-assertion-authz-grant §3.1). On this machine services differ by their ports alone.
 */
function sectorOfService(issuer: string): string {
  const url = parsedUrl(issuer);
  // What is no URL is no service, and nobody else.
  if (url === undefined) return issuer;
  return isLoopbackHost(url.hostname) ? url.origin : url.hostname;
}
