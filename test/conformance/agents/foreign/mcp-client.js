// The official MCP client with openid-client, as their documentation has them: an adapter for the task `connect`.
// With `go` or `csharp` its token requests are written as the MCP clients in these languages write theirs.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import * as oidc from 'openid-client';

const context = JSON.parse(process.env['AGENT_AUTH_CONTEXT'] ?? '{}');
if (context.task !== 'connect') process.exit(77);
const { client_at_provider: here, client_at_service: there, provider, resource } = context;

/** A page on this machine that a browser is led to; resolves to the URL that it comes with. */
async function listen() {
  const server = createServer();
  const led = new Promise((resolve) => {
    server.on('request', (request, response) => {
      response.setHeader('connection', 'close').end('You can close this page.');
      resolve(new URL(`http://${request.headers.host}${request.url}`));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address?.port;
  return { led, redirect: `http://127.0.0.1:${port}/callback`, server };
}

async function signIn() {
  const config = await oidc.discovery(
    new URL(provider),
    here.client_id,
    undefined,
    oidc.ClientSecretPost(here.client_secret),
    {
      algorithm: 'oauth2',
      execute: [
        // Only what is on this machine may be without TLS.
        ...(new URL(provider).hostname === '127.0.0.1' ? [oidc.allowInsecureRequests] : []),
        oidc.enableNonRepudiationChecks,
      ],
    },
  );
  if (!config.serverMetadata().supportsPKCE('S256')) throw new Error('The provider knows no S256.');
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const { led, redirect, server } = await listen();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'openid email',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  execFile(process.env['BROWSER'] ?? '', [url.href]);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  try {
    return (await oidc.authorizationCodeGrant(config, await led, checks)).id_token;
  } finally {
    server.close();
  }
}

/** @type {Record<string, (form: URLSearchParams, headers: Headers) => void>} */
const SHAPES = {
  /** An empty code in both, all in the body, and neither scope nor resource in the second. */
  go: (form, headers) => {
    const [id, secret] = credentials(form);
    headers.delete('authorization');
    form.set('client_id', id);
    form.set('client_secret', secret);
    form.set('code', '');
    if (!form.has('assertion')) return;
    form.delete('scope');
    form.delete('resource');
  },
  /** URLs as Uri.ToString() spells them, and no resource in the second, with Basic that is form-encoded. */
  csharp: (form, headers) => {
    for (const name of ['audience', 'resource']) {
      const url = form.get(name);
      if (url !== null) form.set(name, new URL(url).href);
    }
    if (!form.has('assertion')) return;
    form.delete('resource');
    const pair = credentials(form).map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${btoa(pair)}`);
  },
};

/** @param {URLSearchParams} form */
function credentials(form) {
  const { client_id: id, client_secret: secret } = form.has('assertion') ? there : here;
  return [id, secret];
}

const shape = SHAPES[process.argv[2] ?? ''];

/** @type {typeof fetch} */
const shaped = (url, init) => {
  const headers = new Headers(init?.headers);
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded');
  if (shape === undefined || !isForm) return fetch(url, init);
  const body = new URLSearchParams(String(init?.body));
  shape(body, headers);
  return fetch(url, { ...init, headers, body });
};

const authProvider = new CrossAppAccessProvider({
  clientId: there.client_id,
  clientSecret: there.client_secret,
  expectedIssuer: there.issuer,
  assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
    const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
      idpUrl: provider,
      audience: authorizationServerUrl,
      resource: resourceUrl,
      idToken: String(await signIn()),
      clientId: here.client_id,
      clientSecret: here.client_secret,
      fetchFn: shaped,
      ...(scope !== undefined && { scope }),
    });
    return jwtAuthGrant;
  },
});

const client = new Client({ name: 'test', version: '1' });
try {
  const transport = new StreamableHTTPClientTransport(new URL(resource), {
    authProvider,
    fetch: shaped,
  });
  await client.connect(transport);
  await client.listTools();
  await client.close();
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exit(1);
}
