import type { ProviderClientOptions } from '../../mock-provider/index.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Fetch, Random } from '../../runtime/index.ts';
import { randomToken } from '../../runtime/random-token.ts';

/** Who signs in, to which client, and for what. All of it may be left out. */
export interface SignInOptions {
  /** Default: the user of the world. */
  readonly email?: string;
  /** The id of a client. Default: the first of `clients`; where none is configured, `test-client`, a public one. */
  readonly client?: string;
  /** Separated by spaces. Default: `openid email profile offline_access`. */
  readonly scope?: string;
}

/** What the client got of the provider. */
export interface SignedIn {
  /** The client that it was given to. */
  readonly clientId: string;
  readonly idToken: string;
  readonly accessToken: string;
  /** The refresh token: with the scope `offline_access` alone. */
  readonly refreshToken: string | undefined;
}

interface Around {
  readonly issuer: string;
  readonly fetch: Fetch;
  readonly random: Random;
  readonly clients: readonly ProviderClientOptions[] | undefined;
}

/** Nobody listens there: the browser of the user stops in front of it. */
const CALLBACK = 'http://127.0.0.1/callback';
const SCOPE = 'openid email profile offline_access';

/** Signs a user in by authorization code (RFC 6749 §4.1, RFC 7636), and redeems the code. */
export async function signInByCode(
  around: Around,
  { email, client: id, scope = SCOPE }: SignInOptions & { readonly email: string },
): Promise<SignedIn> {
  const { fetch, issuer, random } = around;
  const client = clientOf(around.clients, id);
  const redirectUri = client.redirectUris?.[0] ?? CALLBACK;
  const verifier = randomToken(random, '');
  const state = randomToken(random, '');
  const url = new URL(`${issuer}/oauth2/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce: randomToken(random, ''),
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const answer = await answerOf(around, { email, redirectUri, url: url.href });
  const code = answer.get('code');
  if (code === null || answer.get('state') !== state) throw refused(answer);
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: client.id,
      ...(client.secret !== undefined && { client_secret: client.secret }),
    }).toString(),
  });
  const body: unknown = await response.json();
  if (response.status !== 200 || !isJsonObject(body)) throw refused(body);
  return {
    clientId: client.id,
    idToken: textOf(body['id_token']) ?? '',
    accessToken: textOf(body['access_token']) ?? '',
    refreshToken: textOf(body['refresh_token']),
  };
}

/** @throws TypeError for a client that there is not, or that this cannot be done for. */
function clientOf(
  clients: Around['clients'] = [],
  id = clients[0]?.id ?? 'test-client',
): ProviderClientOptions {
  const client = clients.find((each) => each.id === id);
  if (client === undefined) {
    if (clients.length === 0) return { id, public: true };
    const known = clients.map((each) => each.id).join(', ');
    throw new TypeError(`There is no client ${JSON.stringify(id)} in the test world: ${known}.`);
  }
  const { methods = ['client_secret_post', 'none'], public: isPublic, secret } = client;
  const means = secret === undefined ? isPublic && 'none' : 'client_secret_post';
  if (means && methods.includes(means)) return client;
  throw new TypeError(
    `signIn authenticates by client_secret_post, or none: ${id} does neither. Sign in to another client.`,
  );
}

/** What a browser is sent back with. */
async function answerOf(
  { fetch }: Around,
  {
    email,
    redirectUri,
    url,
  }: { readonly email: string; readonly redirectUri: string; readonly url: string },
): Promise<URLSearchParams> {
  const { openSignedIn, ScriptedUser } = await import('../../user/index.ts');
  const target = new URL(redirectUri);
  let back: URLSearchParams | undefined;
  const browser = new ScriptedUser(async (to, init) => {
    const { origin, pathname, searchParams } = new URL(to);
    if (origin !== target.origin || pathname !== target.pathname) return fetch(to, init);
    back = searchParams;
    return new Response('');
  });
  const page = await openSignedIn(browser, url, email);
  if (back !== undefined) return back;
  throw new Error(`The provider did not sign ${email} in: ${page.status}, "${page.heading}".`);
}

/** An error of OAuth, without what may be secret. */
function refused(answer: unknown): Error {
  const members =
    answer instanceof URLSearchParams
      ? Object.fromEntries(answer)
      : isJsonObject(answer)
        ? answer
        : {};
  const { error, error_description: description } = members;
  return new Error(`The provider refused the sign-in: ${[error, description].join(' ')}`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
