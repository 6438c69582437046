import { createHash } from 'node:crypto';
import type { TestUser } from './test-user.ts';

/** A provider as a client reaches it. */
interface Peer {
  readonly issuer: string;
  user(): TestUser;
  form(path: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>>;
}

export const REDIRECT = 'http://127.0.0.1:9876/callback';
export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';

/** A client with a secret that signs its user in by authorization code (RFC 6749 §4.1, RFC 7636). */
export class CodeClient {
  readonly #peer: Peer;
  readonly #credentials: Readonly<Record<string, string>>;

  constructor(peer: Peer, credentials: Readonly<Record<string, string>>) {
    this.#peer = peer;
    this.#credentials = credentials;
  }

  /** A good authorization request, with parameters replaced, or left out where `undefined`. */
  url(more: Readonly<Record<string, string | undefined>> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.#credentials['client_id'],
      redirect_uri: REDIRECT,
      scope: 'openid email',
      state: 'a-state',
      nonce: 'a-nonce',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    };
    const url = new URL(`${this.#peer.issuer}/oauth2/authorize`);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url.href;
  }

  /** Where the browser of a signed-in user is sent, or the answer when it is not. */
  async ask(
    user: TestUser,
    more: Readonly<Record<string, string | undefined>> = {},
  ): Promise<{ readonly answer: URLSearchParams | undefined; readonly response: Response }> {
    const response = await user.request(this.url(more));
    const location = response.headers.get('location');
    return {
      response,
      answer: location?.startsWith('http') ? new URL(location).searchParams : undefined,
    };
  }

  /** Signs somebody in, and redeems the code. */
  async signIn(
    email: string,
    more: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Record<string, unknown>> {
    const user = this.#peer.user();
    await user.openSignedIn(`${this.#peer.issuer}/login`, email);
    const { answer } = await this.ask(user, more);
    return this.redeem(answer?.get('code') ?? '');
  }

  redeem(
    code: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...more,
    });
  }

  token(fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    return this.#peer.form('/oauth2/token', { ...this.#credentials, ...fields });
  }
}
