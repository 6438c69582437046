import {
  DEVICE_CODE_GRANT,
  isJsonObject,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';

/** A sign-in by device code that waits for a user. */
export interface WaitingSignIn {
  readonly verificationUri: string;
  readonly userCode: string;
}

/** What an agent asks about again while a user has to act. */
export type Poll =
  | { readonly kind: 'claim' }
  | { readonly kind: 'sign_in'; readonly open: WaitingSignIn }
  | { readonly kind: 'consent'; readonly consentUri: string };

/** What agents were told to show their users, as it went over the wire. */
export class Waiting {
  readonly #signIns = new Map<string, WaitingSignIn>();
  #consent: string | undefined;

  /** The newest sign-in that was opened. */
  get signIn(): WaitingSignIn | undefined {
    return [...this.#signIns.values()].at(-1);
  }

  /** The page of the consent that was asked for last. */
  get consentUri(): string | undefined {
    return this.#consent;
  }

  /** What an agent polls for with this request; `undefined`: it is no poll. */
  async pollOf(role: 'service' | 'provider', request: Request): Promise<Poll | undefined> {
    if (request.method !== 'POST' || !request.url.endsWith('/oauth2/token')) return undefined;
    const form = new URLSearchParams(await request.clone().text());
    const grant = form.get('grant_type');
    if (role === 'service') return grant === JWT_BEARER_GRANT ? undefined : { kind: 'claim' };
    if (grant === DEVICE_CODE_GRANT) {
      const open = this.#signIns.get(form.get('device_code') ?? '');
      return open && { kind: 'sign_in', open };
    }
    if (grant !== TOKEN_EXCHANGE_GRANT || this.#consent === undefined) return undefined;
    return { kind: 'consent', consentUri: this.#consent };
  }

  /** Notes what an answer of the provider asks of a user. */
  async note(request: Request, response: Response): Promise<void> {
    const { url } = request;
    const mayAsk = url.endsWith('/oauth2/device_authorization') || url.endsWith('/oauth2/token');
    if (request.method !== 'POST' || !mayAsk) return;
    const told: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    const text = (name: string) => {
      const value = isJsonObject(told) ? told[name] : undefined;
      return typeof value === 'string' ? value : undefined;
    };
    const [deviceCode, userCode] = [text('device_code'), text('user_code')];
    const verificationUri = text('verification_uri');
    if (deviceCode !== undefined && userCode !== undefined && verificationUri !== undefined) {
      this.#signIns.set(deviceCode, { verificationUri, userCode });
    }
    const consentUri = text('consent_uri');
    if (consentUri !== undefined) this.#consent = consentUri;
    else if (response.ok && url.endsWith('/token')) this.#consent = undefined;
  }
}
