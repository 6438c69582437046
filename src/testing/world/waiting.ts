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
  /** `registrationId`: whose claim it is, where the service said so when it handed out the claim token. */
  | { readonly kind: 'claim'; readonly registrationId: string | undefined }
  | { readonly kind: 'sign_in'; readonly open: WaitingSignIn }
  | { readonly kind: 'consent'; readonly consentUri: string };

/** What agents were told to show their users, as it went over the wire. */
export class Waiting {
  readonly #signIns = new Map<string, WaitingSignIn>();
  /** Registrations by their claim tokens. */
  readonly #registrations = new Map<string, string>();
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
    if (role === 'service') {
      const claimToken = form.get('claim_token');
      if (grant === JWT_BEARER_GRANT || claimToken === null) return undefined;
      return { kind: 'claim', registrationId: this.#registrations.get(claimToken) };
    }
    if (grant === DEVICE_CODE_GRANT) {
      const open = this.#signIns.get(form.get('device_code') ?? '');
      return open && { kind: 'sign_in', open };
    }
    if (grant !== TOKEN_EXCHANGE_GRANT || this.#consent === undefined) return undefined;
    return { kind: 'consent', consentUri: this.#consent };
  }

  /** Notes what an answer asks of a user, or has an agent poll with. */
  async note(role: 'service' | 'provider', request: Request, response: Response): Promise<void> {
    if (request.method !== 'POST') return;
    if (role === 'service') await this.#noteClaim(response);
    else await this.#noteAtProvider(request.url, response);
  }

  async #noteClaim(response: Response): Promise<void> {
    const text = await membersOf(response);
    const [claimToken, id] = [text('claim_token'), text('registration_id')];
    if (claimToken !== undefined && id !== undefined) this.#registrations.set(claimToken, id);
  }

  async #noteAtProvider(url: string, response: Response): Promise<void> {
    const mayAsk = url.endsWith('/oauth2/device_authorization') || url.endsWith('/oauth2/token');
    if (!mayAsk) return;
    const text = await membersOf(response);
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

/** The members of an answer in JSON that are texts. */
async function membersOf(response: Response): Promise<(name: string) => string | undefined> {
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(
    response.headers.get('content-type') ?? '',
  );
  const told: unknown = isJson
    ? await response
        .clone()
        .json()
        .catch(() => undefined)
    : undefined;
  return (name) => {
    const value = isJsonObject(told) ? told[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
}
