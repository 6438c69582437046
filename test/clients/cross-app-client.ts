import type { webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import type { ClientAuthMethod } from '../../src/mock/clients/client.ts';
import { JWT_BEARER_GRANT, TOKEN_EXCHANGE_GRANT } from '../../src/protocol/constants.ts';
import { REDIRECT } from '../support/code-client.ts';

/** A client as both mocks know it, and what it authenticates with. */
export interface Registered {
  readonly id: string;
  readonly method: ClientAuthMethod;
  readonly secret: string;
  /** With `private_key_jwt`. */
  readonly key?: webcrypto.CryptoKey;
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
  /** Of the ID token, as far as the package has validated it. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

type Fields = Record<string, string>;
type Members = Readonly<Record<string, unknown>>;

/** What a package does at one server. Nothing of it is patched: it is called as its documentation has it. */
export interface CrossAppClient {
  /** By authorization code with PKCE, `state` and `nonce`. @param visit the user, and where the browser ends up. */
  signIn(visit: (url: string) => Promise<string>): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
  exchange(fields: Fields): Promise<Members>;
  redeem(fields: Fields): Promise<Members>;
  introspect(token: string): Promise<Members>;
}

/** Finds a server, and makes a client of it. */
export type Connect = (issuer: string, client: Registered) => Promise<CrossAppClient>;

const SCOPE = 'openid email offline_access';

async function withOpenidClient(issuer: string, client: Registered): Promise<CrossAppClient> {
  const { id, key, method, secret } = client;
  const methods = {
    client_secret_basic: () => oidc.ClientSecretBasic(secret),
    client_secret_post: () => oidc.ClientSecretPost(secret),
    private_key_jwt: () => oidc.PrivateKeyJwt(key as webcrypto.CryptoKey),
    none: () => oidc.None(),
  };
  const config = await oidc.discovery(new URL(issuer), id, undefined, methods[method](), {
    algorithm: 'oauth2',
    // The second verifies the signature of each ID token, which may be left out at a token endpoint.
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  });
  type Answer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;
  const tokensOf = (answer: Answer): Tokens => ({
    idToken: String(answer.id_token),
    refreshToken: String(answer.refresh_token),
    claims: answer.claims(),
  });
  return {
    signIn: async (visit) => {
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
      const answer = new URL(await visit(url.href));
      return tokensOf(await oidc.authorizationCodeGrant(config, answer, checks));
    },
    refresh: async (token) => tokensOf(await oidc.refreshTokenGrant(config, token)),
    exchange: (fields) => oidc.genericGrantRequest(config, TOKEN_EXCHANGE_GRANT, fields),
    redeem: (fields) => oidc.genericGrantRequest(config, JWT_BEARER_GRANT, fields),
    introspect: (token) => oidc.tokenIntrospection(config, token),
  };
}

async function withOauth4webapi(issuer: string, registered: Registered): Promise<CrossAppClient> {
  const client: oauth.Client = { client_id: registered.id };
  const methods = {
    client_secret_basic: () => oauth.ClientSecretBasic(registered.secret),
    client_secret_post: () => oauth.ClientSecretPost(registered.secret),
    private_key_jwt: () => oauth.PrivateKeyJwt(registered.key as webcrypto.CryptoKey),
    none: () => oauth.None(),
  };
  const auth = methods[registered.method]();
  const http = { [oauth.allowInsecureRequests]: true };
  const found = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...http });
  const as = await oauth.processDiscoveryResponse(new URL(issuer), found);
  const tokensOf = async (response: Response, answer: oauth.TokenEndpointResponse) => {
    await oauth.validateApplicationLevelSignature(as, response, http);
    return {
      idToken: String(answer.id_token),
      refreshToken: String(answer.refresh_token),
      claims: oauth.getValidatedIdTokenClaims(answer),
    };
  };
  const grant = async (type: string, fields: Fields) =>
    oauth.processGenericTokenEndpointResponse(
      as,
      client,
      await oauth.genericTokenEndpointRequest(as, client, auth, type, fields, http),
      // An ID-JAG is no access token (RFC 8693 §2.2.1): the client is told so by this option.
      { recognizedTokenTypes: { n_a: () => {} } },
    );
  return {
    signIn: async (visit) => {
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const url = new URL(String(as.authorization_endpoint));
      url.search = new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      const answer = oauth.validateAuthResponse(as, client, new URL(await visit(url.href)), state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        auth,
        answer,
        REDIRECT,
        verifier,
        http,
      );
      const checks = { expectedNonce: nonce, requireIdToken: true };
      const read = oauth.processAuthorizationCodeResponse(as, client, response, checks);
      return tokensOf(response, await read);
    },
    refresh: async (token) => {
      const response = await oauth.refreshTokenGrantRequest(as, client, auth, token, http);
      const answer = await oauth.processRefreshTokenResponse(as, client, response);
      return tokensOf(response, answer);
    },
    exchange: (fields) => grant(TOKEN_EXCHANGE_GRANT, fields),
    redeem: (fields) => grant(JWT_BEARER_GRANT, fields),
    introspect: async (token) => {
      const response = await oauth.introspectionRequest(as, client, auth, token, http);
      return oauth.processIntrospectionResponse(as, client, response);
    },
  };
}

/** By the name of the package. */
export const CONNECTS: Readonly<Record<string, Connect>> = {
  'openid-client': withOpenidClient,
  oauth4webapi: withOauth4webapi,
};
