import { createHash } from 'node:crypto';
import {
  AUTHORIZATION_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  REFRESH_TOKEN_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/index.ts';
import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import { type FormValues, formBody, type Send } from '../provider-client.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import type { GivenClient } from './given.ts';

/** How a request says whose it is: with the client's own secret, another or an empty one, by its id alone, or not at all. */
export type Shows = 'secret' | 'wrong-secret' | 'empty-secret' | 'id' | 'nothing';

/** What else a token request differs in. */
export interface TokenRequest {
  readonly shows?: Shows;
  readonly headers?: HeaderList;
  /** Appended to the form: a parameter that stands there twice. */
  readonly again?: FormValues;
}

const FORM = ['content-type', 'application/x-www-form-urlencoded'] as const;

/** A client that signs its users in by authorization code, and exchanges their ID tokens. Judges nothing. */
export class CodeClient {
  readonly id: string;
  readonly isPublic: boolean;
  readonly #secret: string;
  readonly #send: Send;
  readonly #facts: ProviderFacts;

  constructor(send: Send, facts: ProviderFacts, { id, secret }: GivenClient) {
    this.#send = send;
    this.#facts = facts;
    this.id = id;
    this.isPublic = secret === undefined;
    this.#secret = secret ?? '';
  }

  /** An authorization request (RFC 6749 §4.1.1). */
  authorizationUrl(parameters: FormValues): string {
    const url = new URL(this.#endpoint('authorizationEndpoint'));
    const all = { response_type: 'code', client_id: this.id, ...parameters };
    for (const [name, value] of new URLSearchParams(formBody(all))) {
      url.searchParams.append(name, value);
    }
    return url.href;
  }

  /** A request to the token endpoint, with the credentials of the client. */
  token(form: FormValues, request: TokenRequest = {}): Promise<Answer> {
    const { again = {}, headers = [], shows = this.isPublic ? 'id' : 'secret' } = request;
    const shown = this.#shown(shows);
    const body = [formBody({ ...shown.form, ...form }), formBody(again)].filter(Boolean).join('&');
    return this.#send(this.#endpoint('tokenEndpoint'), {
      from: 'agent',
      headers: [FORM, ...shown.headers, ...headers],
      body,
    });
  }

  redeem(form: FormValues, request?: TokenRequest): Promise<Answer> {
    return this.token({ grant_type: AUTHORIZATION_CODE_GRANT, ...form }, request);
  }

  refresh(refreshToken: string): Promise<Answer> {
    return this.token({ grant_type: REFRESH_TOKEN_GRANT, refresh_token: refreshToken });
  }

  /** An ID token for an ID-JAG (ID-JAG §4.3). */
  exchange(form: FormValues, request?: TokenRequest): Promise<Answer> {
    const right = {
      grant_type: TOKEN_EXCHANGE_GRANT,
      requested_token_type: ID_JAG_TOKEN_TYPE,
      subject_token_type: ID_TOKEN_TYPE,
    };
    return this.token({ ...right, ...form }, request);
  }

  /** @throws NotApplicable when the provider does not name it. */
  #endpoint(name: 'authorizationEndpoint' | 'tokenEndpoint'): string {
    const url = this.#facts[name];
    if (url !== undefined) return url;
    throw new NotApplicable(`The provider's metadata names no ${name}.`);
  }

  /** RFC 6749 §2.3.1: by the header, unless the provider lists forms alone. */
  #shown(shows: Shows): { readonly headers: HeaderList; readonly form: FormValues } {
    if (shows === 'nothing') return { headers: [], form: {} };
    if (shows === 'id') return { headers: [], form: { client_id: this.id } };
    const wrong = shows === 'empty-secret' ? '' : `${this.#secret.slice(1)}x`;
    const secret = shows === 'secret' ? this.#secret : wrong;
    const listed = this.#facts.metadata['token_endpoint_auth_methods_supported'];
    if (Array.isArray(listed) && !listed.includes('client_secret_basic')) {
      return { headers: [], form: { client_id: this.id, client_secret: secret } };
    }
    const pair = [this.id, secret].map((each) => formBody({ '': each }).slice(1)).join(':');
    const basic = Buffer.from(pair).toString('base64');
    return { headers: [['authorization', `Basic ${basic}`]], form: {} };
  }
}

/** The challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
