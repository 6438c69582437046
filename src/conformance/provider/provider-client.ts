import {
  DEVICE_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { NotApplicable } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import type { Sending } from '../http/http-client.ts';
import type { ProviderFacts } from './provider-facts.ts';

export type Send = (url: string, sending?: Sending) => Promise<Answer>;
/** A parameter that is undefined is left out. */
export type FormValues = Readonly<Record<string, string | undefined>>;

const FORM_BODY = [['content-type', 'application/x-www-form-urlencoded']] as const;

/** Sends the requests of an agent to a provider. Judges nothing. */
export class ProviderClient {
  readonly clientId: string;
  readonly #send: Send;
  readonly #facts: ProviderFacts;
  readonly #mintsByCommand: boolean;
  readonly #onMint: (answer: Answer, audience: string) => void;

  /**
   * @param options.mintsByCommand There is no token exchange: `--mint-command` stands for it.
   * @param options.onMint Called with what a mint was answered.
   */
  constructor(
    send: Send,
    facts: ProviderFacts,
    {
      clientId,
      mintsByCommand,
      onMint,
    }: {
      readonly clientId: string;
      readonly mintsByCommand: boolean;
      onMint(answer: Answer, audience: string): void;
    },
  ) {
    this.#mintsByCommand = mintsByCommand;
    this.#onMint = onMint;
    this.#send = send;
    this.#facts = facts;
    this.clientId = clientId;
  }

  /** Begins a device authorization (RFC 8628 §3.1). */
  authorizeDevice(more: FormValues = {}): Promise<Answer> {
    return this.postForm(this.endpoint('deviceEndpoint'), {
      client_id: this.clientId,
      scope: 'openid email',
      ...more,
    });
  }

  poll(deviceCode: string): Promise<Answer> {
    return this.token({ grant_type: DEVICE_CODE_GRANT, device_code: deviceCode });
  }

  /** Posts a form to the token endpoint, by default with the client's id. */
  token(form: FormValues): Promise<Answer> {
    return this.postForm(this.endpoint('tokenEndpoint'), { client_id: this.clientId, ...form });
  }

  /** @throws NotApplicable where ID-JAGs come from a command. */
  needExchange(): void {
    if (!this.#mintsByCommand) return;
    throw new NotApplicable('ID-JAGs come from --mint-command: this is about a token exchange.');
  }

  /**
   * The parameters of a mint (RFC 8693 §2.1, ID-JAG §4.3).
   * @throws NotApplicable where the provider mints otherwise.
   */
  mintForm(idToken: string, audience: string, more: FormValues = {}): FormValues {
    this.needExchange();
    return {
      grant_type: TOKEN_EXCHANGE_GRANT,
      requested_token_type: ID_JAG_TOKEN_TYPE,
      audience,
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
      ...more,
    };
  }

  async mint(idToken: string, audience: string, more: FormValues = {}): Promise<Answer> {
    const answer = await this.token(this.mintForm(idToken, audience, more));
    this.#onMint(answer, audience);
    return answer;
  }

  /** Ends the consent to an audience. @throws NotApplicable when the provider has no such endpoint. */
  revokeConsent(idToken: string, audience: string): Promise<Answer> {
    return this.postForm(this.endpoint('consentRevocationEndpoint'), {
      client_id: this.clientId,
      audience,
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
    });
  }

  postForm(url: string, form: FormValues): Promise<Answer> {
    return this.#send(url, { from: 'agent', headers: FORM_BODY, body: formBody(form) });
  }

  /** @throws NotApplicable when the provider does not name it. */
  endpoint(name: 'tokenEndpoint' | 'deviceEndpoint' | 'consentRevocationEndpoint'): string {
    const url = this.#facts[name];
    if (url !== undefined) return url;
    const wire = {
      tokenEndpoint: 'token_endpoint',
      deviceEndpoint: 'device_authorization_endpoint',
      consentRevocationEndpoint: 'consent_revocation_endpoint',
    }[name];
    throw new NotApplicable(`The provider's metadata names no ${wire}.`);
  }
}

export function formBody(form: FormValues): string {
  const given = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(given).toString();
}

/** A poll without a decision yet. */
export function isWaiting(answer: Answer): boolean {
  return answer.errorCode === 'authorization_pending' || answer.errorCode === 'slow_down';
}
