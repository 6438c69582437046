import { AUTHORIZATION_SERVER_PATH, TOKEN_EXCHANGE_GRANT } from '../../protocol/index.ts';
import { type Answer, isObject } from '../http/answer.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { BadTarget } from '../target/bad-target.ts';

type Json = Readonly<Record<string, unknown>>;

/** The metadata of the judged provider, read leniently: what is missing or ill-typed is undefined. */
export interface ProviderFacts {
  /** The issuer by its URL: without a trailing slash. */
  readonly target: string;
  readonly metadataUrl: string;
  readonly metadata: Json;
  readonly issuer: string;
  readonly authorizationEndpoint: string | undefined;
  readonly tokenEndpoint: string | undefined;
  readonly deviceEndpoint: string | undefined;
  readonly jwksUri: string | undefined;
  /** Revokes a consent for an agent. Not of a standard. */
  readonly consentRevocationEndpoint: string | undefined;
  readonly userInfoEndpoint: string | undefined;
  readonly grantTypes: readonly string[];
  /** Whether it has an agent of its own, whose users register at services (agentic registration). */
  readonly isForAgents: boolean;
}

/** The usual URL of the client document of a provider's agent. */
export function clientDocumentUrl({ issuer }: ProviderFacts): string {
  return `${issuer.replace(/\/$/, '')}/agent-auth.json`;
}

/** Where the metadata of a provider may be: RFC 8414 §3.1, and where OpenID Connect has it. */
export function metadataPlaces(target: string): readonly string[] {
  const { origin, pathname } = new URL(target);
  const path = pathname.replace(/\/$/, '');
  const own = `${origin}${path}`;
  const places = [AUTHORIZATION_SERVER_PATH, '/.well-known/openid-configuration'].map(
    (each) => own + each,
  );
  return [...new Set([`${origin}${AUTHORIZATION_SERVER_PATH}${path}`, ...places])];
}

/**
 * Reads the metadata of a provider.
 * @param isMintedFor A command mints for it: a key set alone is enough then.
 * @throws BadTarget when there is none.
 */
export async function connectProvider(
  get: (url: string) => Promise<Answer>,
  target: string,
  isMintedFor = false,
): Promise<ProviderFacts> {
  const { origin, pathname } = new URL(target);
  const base = origin + pathname.replace(/\/$/, '');
  let first: Answer | undefined;
  for (const place of metadataPlaces(base)) {
    const answer = await reach(get, place, first === undefined);
    first ??= answer;
    if (answer?.status === 200 && isObject(answer.json)) {
      if (isServiceMetadata(answer.json)) {
        throw new BadTarget(
          'not_a_peer',
          `${target} is not a provider: its metadata has agent_auth and no token exchange, as a service's does. Judge it with: conformance service.`,
        );
      }
      return readFacts(base, place, answer.json);
    }
  }
  const jwksUri = await keySetOf(get, base);
  if (jwksUri !== undefined && isMintedFor) {
    return readFacts(base, jwksUri, { issuer: base, jwks_uri: jwksUri });
  }
  const keys = jwksUri && ` It publishes keys at ${jwksUri}: with --mint-command they are judged.`;
  throw new BadTarget(
    'not_a_peer',
    `${target} is not a provider: ${whatItIs(first)}.${keys ?? ''}`,
  );
}

/** Whether a provider says that it has an agent of its own: by the document of that agent, or by its endpoint for it. */
export async function saysItHasAgent(
  get: (url: string) => Promise<Answer>,
  facts: ProviderFacts,
): Promise<boolean> {
  if (facts.consentRevocationEndpoint !== undefined) return true;
  const answer = await reach(get, clientDocumentUrl(facts), false);
  return answer?.status === 200 && answer.string('client_id') !== undefined;
}

/** The key set of a provider that publishes nothing else. */
async function keySetOf(
  get: (url: string) => Promise<Answer>,
  base: string,
): Promise<string | undefined> {
  for (const path of ['/.well-known/jwks.json', '/jwks.json', '/jwks', '/oauth/jwks']) {
    const answer = await reach(get, base + path, false);
    if (answer?.status === 200 && Array.isArray(answer.member('keys'))) return base + path;
  }
  return undefined;
}

function isServiceMetadata(metadata: Json): boolean {
  const grants = metadata['grant_types_supported'];
  const exchanges = Array.isArray(grants) && grants.includes(TOKEN_EXCHANGE_GRANT);
  return isObject(metadata['agent_auth']) && !exchanges;
}

async function reach(
  get: (url: string) => Promise<Answer>,
  url: string,
  isFirst: boolean,
): Promise<Answer | undefined> {
  try {
    return await get(url);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (isFirst) throw new BadTarget('network', error.message);
    return undefined;
  }
}

function whatItIs(answer: Answer | undefined): string {
  const location = answer?.header('location');
  if (answer !== undefined && answer.status >= 300 && answer.status < 400 && location) {
    return `it redirects to ${location}; name the URL that it redirects to`;
  }
  const html = answer?.mediaType === 'text/html' ? ', with a web page' : '';
  return `for its authorization-server metadata it answers ${answer?.status ?? 'nothing'}${html}`;
}

function readFacts(target: string, metadataUrl: string, metadata: Json): ProviderFacts {
  const url = (name: string) => {
    const value = metadata[name];
    return typeof value === 'string' && URL.canParse(value) ? value : undefined;
  };
  const { issuer, grant_types_supported: grants } = metadata;
  return {
    target,
    metadataUrl,
    metadata,
    issuer: typeof issuer === 'string' ? issuer : target,
    authorizationEndpoint: url('authorization_endpoint'),
    tokenEndpoint: url('token_endpoint'),
    deviceEndpoint: url('device_authorization_endpoint'),
    jwksUri: url('jwks_uri'),
    consentRevocationEndpoint: url('consent_revocation_endpoint'),
    userInfoEndpoint: url('userinfo_endpoint'),
    grantTypes: Array.isArray(grants) ? grants.filter((type) => typeof type === 'string') : [],
    isForAgents: true,
  };
}
