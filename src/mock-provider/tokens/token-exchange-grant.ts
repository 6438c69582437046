import type { Form } from '../../mock/http/request.ts';
import { json, type WireProblem, wireProblem } from '../../mock/http/response.ts';
import { isDocumentUrl } from '../../protocol/client-id.ts';
import { ID_JAG_TOKEN_TYPE, NOT_A_BEARER, REFRESH_TOKEN_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireAll } from '../checks/check.ts';
import { requireParameter } from '../checks/require-agent.ts';
import type { KnownAudience, ProviderConfig } from '../config/config.ts';
import { clientIdUrl, PATHS } from '../config/paths.ts';
import type { Grant, ProviderContext } from '../context/provider-context.ts';
import { decidePolicy } from '../mint/decide-policy.ts';
import { narrow, parseScope, type Scopes } from '../mint/scopes.ts';
import type { User } from '../users/user-store.ts';
import { isAgent } from './identify-client.ts';
import { signIdJag } from './mint-as-asked.ts';
import { namedResources } from './named-resources.ts';

/** Token exchange: an ID token or a refresh token for an ID-JAG (RFC 8693 §2, ID-JAG §4.3). */
export const tokenExchangeGrant: Grant = async (provider, form, client) => {
  const { config, decisions, log } = provider;
  const session = await subjectOf(provider, form, client.id);
  // Nobody is asked for a request without a user.
  const named = session === undefined ? [] : await namedResources(provider, form);
  const known = config.audience(form.get('audience') ?? '');
  requireAll(decisions.exchangeChecks, { form, known, named });
  // The issuer as it is registered, should the request differ by a final slash (ID-JAG §4.3).
  const audience = known?.issuer ?? requireParameter(form, 'audience');
  if (session === undefined) throw wireProblem('provider', 'invalid_grant');

  const { authTime, email } = session;
  const resources = resourcesOf(form, known);
  const asked: Asked = {
    email,
    audience,
    offered: known?.scopes,
    resources,
    requested: parseScope(form.get('scope') ?? ''),
    authTime,
  };
  const minted = asksItsUser(provider, client.id)
    ? await byConsent(provider, asked, client.id)
    : await byPolicy(provider, asked, client.id);
  const { scopes } = minted;
  const said = { ...minted, audience, resources, authTime };
  const signing = { client: client.id, algorithm: known?.algorithm };
  const { expiresIn, idJag } = await signIdJag(provider, said, signing);
  log.info('provider.minted', { audience, client: client.id });
  return json({
    access_token: idJag,
    issued_token_type: ID_JAG_TOKEN_TYPE,
    token_type: NOT_A_BEARER,
    expires_in: expiresIn,
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  });
};

interface Asked {
  readonly email: string;
  readonly audience: string;
  readonly offered: Scopes;
  readonly resources: readonly string[];
  readonly requested: Scopes;
  /** When the user signed in, in seconds. */
  readonly authTime: number;
}

interface Minted {
  readonly user: User;
  readonly clientId: string;
  /** When it was decided, in milliseconds. */
  readonly decidedAt: number;
  readonly scopes: Scopes;
}

/** The user of the subject token: an ID token, or a refresh token, which is good as for its own grant (ID-JAG §4.3.3). */
async function subjectOf(
  { codes, idTokens }: ProviderContext,
  form: Form,
  clientId: string,
): Promise<{ readonly email: string; readonly authTime: number } | undefined> {
  const token = form.get('subject_token') ?? '';
  if (form.get('subject_token_type') !== REFRESH_TOKEN_TYPE) {
    return idTokens.verify(token, clientId);
  }
  const session = await codes.findRefreshToken(sha256(token), clientId);
  return session && { email: session.email, authTime: Math.floor(session.authTime / SECOND) };
}

/** The resources that are named; where none is, the only one that can be meant. */
function resourcesOf(form: Form, known: KnownAudience | undefined): readonly string[] {
  // As it is registered, should one differ by a final slash: some clients add it to a bare origin.
  const registered = [...(known?.resources ?? []), ...(known === undefined ? [] : [known.issuer])];
  const named = form
    .getAll('resource')
    .map((each) => registered.find((url) => each === `${url}/`) ?? each);
  const [only, another] = known?.resources ?? [];
  return named.length === 0 && only !== undefined && another === undefined ? [only] : named;
}

/** What an administrator lets this client reach; its user is not asked (EMA). */
async function byPolicy(
  { clock, config, users }: ProviderContext,
  { audience, authTime, email, offered, requested, resources }: Asked,
  client: string,
): Promise<Minted> {
  const user = await users.find(email);
  if (user === undefined) throw wireProblem('provider', 'invalid_grant');
  const decided = decidePolicy(config.policy, {
    user: email,
    groups: config.users.find((each) => each.email === email)?.groups ?? [],
    client,
    audience,
    resources,
    requested: narrow(requested, offered),
    age: Math.floor(clock.now() / SECOND) - authTime,
  });
  if (decided.kind === 'stale') throw staleSignIn(decided.maxAge);
  if (decided.kind === 'refused') throw wireProblem('provider', decided.code);
  return {
    user,
    clientId: clientThere(config, client, audience),
    decidedAt: clock.now(),
    scopes: decided.scopes,
  };
}

/** The id by which the service knows a client; the agent has a place of its own. */
function clientThere(config: ProviderConfig, client: string, audience: string): string {
  const mapped = config.clientMapping.find(
    (each) => each.client === client && each.audience === audience,
  );
  // The URL of a metadata document is the same everywhere.
  const isSame = isDocumentUrl(client);
  const clientId = isSame ? client : (mapped?.id ?? client);
  // ID-JAGs that name the agent rest on its own consents.
  const isRefused = config.refuseUnmapped && mapped === undefined && !isSame;
  if (isRefused || clientId === clientIdUrl(config)) {
    throw wireProblem('provider', 'unauthorized_client');
  }
  return clientId;
}

/** Whether the user of a client is asked for each service: the agent's is, and that of a client that is set so. */
function asksItsUser(provider: ProviderContext, clientId: string): boolean {
  const client = provider.config.clients.find(({ id }) => id === clientId);
  return isAgent(provider, clientId) || client?.consent === 'ask';
}

async function byConsent(
  provider: ProviderContext,
  { audience, authTime, email, offered, requested, resources }: Asked,
  client: string,
): Promise<Minted> {
  const { config, consents, random } = provider;
  const ofAgent = isAgent(provider, client);
  const clientId = ofAgent ? clientIdUrl(config) : clientThere(config, client, audience);
  const minting = await consents.mint(
    {
      email,
      issuer: config.issuer,
      audience,
      client: ofAgent ? undefined : client,
      requested,
      offered,
      resource: resources.join(' ') || undefined,
      authTime: authTime * SECOND,
      autoApproved: email === config.autoApprove,
      freshId: () => randomToken(random, 'csr_'),
    },
    provider,
  );
  if (minting.kind === 'ask') {
    throw wireProblem('provider', 'consent_required', {
      members: {
        consent_uri: `${config.issuer}${PATHS.consent}?request=${minting.requestId}`,
        // Not of the draft: an agent that waits counts what the page counts.
        expires_in: Math.floor(config.lifetimes.consentRequest / SECOND),
      },
    });
  }
  if (minting.kind === 'refused') {
    throw minting.code === 'insufficient_user_authentication'
      ? staleSignIn(Math.floor(config.lifetimes.maxAuthAge / SECOND))
      : wireProblem('provider', minting.code);
  }
  const { decidedAt, scopes, user } = minting;
  return { user, clientId, decidedAt, scopes };
}

/** What a newer sign-in would help against (ID-JAG §9.2). @param max_age in seconds. */
function staleSignIn(max_age: number): WireProblem {
  return wireProblem('provider', 'insufficient_user_authentication', { members: { max_age } });
}
