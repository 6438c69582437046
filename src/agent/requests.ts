/** What callers ask of the agent. Members that may be `undefined` may be left out. */
import type { Secret } from '../runtime/index.ts';
import type { GivenClient } from './client-model.ts';
import type { Abortable } from './context.ts';
import type { Discovery } from './model.ts';
import type { ClaimOpen, CodeRefused, WaitEvent } from './outcomes.ts';

/**
 * Where discovery starts: `address`: what a user typed (a service, a protected URL or an issuer);
 * `resource`: a protected URL, asked for its challenge first; `issuer`: the server's metadata alone.
 * Whoever has a 401 of that URL already gives its headers as `challenge`: it is not asked again.
 */
export type DiscoverTarget =
  | { readonly address: string; readonly challenge?: Headers | undefined }
  | { readonly resource: string; readonly challenge?: Headers | undefined }
  | { readonly issuer: string };

/** Which service a call is about. */
export interface ServiceChoice extends Abortable {
  /** An issuer, a resource or a URL below one that is stored. Default: the service used last. */
  readonly service?: string | undefined;
}

/** What `register` is asked for: a service, a type, and what that type needs. */
export type RegisterRequest = Abortable & {
  /** A URL to discover, or what was discovered. */
  readonly service: string | Discovery;
  /**
   * Registers only where the service no longer has a stored registration of that type and user: it is asked
   * first. A given ID-JAG is always sent. Default false: another one is made,
   * but not where an earlier answer for that type and user was not understood.
   */
  readonly reuse?: boolean | undefined;
  /** Whether another one is wanted, whatever is there: nothing is reused, no answer that is kept is in the way. */
  readonly anew?: boolean | undefined;
  /** Members in place of those of {@link AgentSettings}. */
  readonly members?: Readonly<Record<string, string>> | undefined;
} & (
    | { readonly type: 'anonymous' }
    | { readonly type: 'service_auth'; readonly loginHint: string }
    /** A given ID-JAG. Refused when its `aud` names another service, not sent when it is expired. */
    | { readonly type: 'identity_assertion'; readonly assertion: Secret }
    /** Minted at a provider where the user is signed in. */
    | {
        readonly type: 'identity_assertion';
        readonly provider: string;
        readonly scopes?: readonly string[] | undefined;
      }
  );

/** Whom `startClaim` asks to claim the registration in use. */
export interface StartClaimRequest extends ServiceChoice {
  /**
   * Needed for an anonymous registration that has not named one, and may correct it until the claim is
   * complete. Otherwise the one on record: another is refused before anything is sent (`email_fixed`).
   */
  readonly email?: string | undefined;
  /**
   * The issuer of a provider where the user is signed in: claims with an ID-JAG that is minted there, without a
   * code where the service takes that. `email` is not needed then.
   */
  readonly provider?: string | undefined;
  /** Always open a new attempt, which ends the one before. Default: resume an open one. */
  readonly renew?: boolean | undefined;
}

/** What `resumeClaim` looks for: the open attempt of the registration in use. */
export interface ResumeClaimRequest extends ServiceChoice {
  /** Whom `startClaim` is going to name: refused here already where that cannot be. Nothing is sent. */
  readonly email?: string | undefined;
}

/** How long `waitForClaim` waits. */
export interface WaitForClaimRequest extends ServiceChoice {
  /** Milliseconds; then the outcome is `pending`. Default: until the attempt expires. */
  readonly timeout?: number | undefined;
  /** Called before each wait, for a screen. */
  readonly onEvent?: ((event: WaitEvent) => void) | undefined;
}

/** What `submitCode` hands in. */
export interface SubmitCodeRequest extends ServiceChoice {
  /** What the user read on the page or in the mail; how the page groups it does not matter. */
  readonly code: Secret;
}

/**
 * Gets the code from the user, who reads it on the page or in the mail. `undefined`: they do not have it yet.
 * @param refused what became of the one before.
 */
export type AskForCode = (
  open: ClaimOpen,
  refused: CodeRefused | undefined,
) => Promise<Secret | undefined>;

/** How fresh the token of `token` has to be. */
export interface TokenRequest extends ServiceChoice {
  /** Exchange even if the stored token is good. */
  readonly renew?: boolean | undefined;
  /**
   * Ask the server for its time, even if the stored token has more than five minutes left by the time that
   * was seen last: its clock, or this machine's, may have been set since.
   */
  readonly check?: boolean | undefined;
}

/** The request that `call` sends, but for its URL. */
export interface CallRequest extends ServiceChoice {
  /** Default `GET`. */
  readonly method?: string | undefined;
  /** `Authorization` is refused: the agent sets it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as it is; say what it is in `headers`. */
  readonly body?: string | Uint8Array | undefined;
}

/** Whether `status` may ask the services. */
export interface StatusRequest extends Abortable {
  /** Ask each service for the time first, so that a moved clock is seen. Default false: no request. */
  readonly checkClocks?: boolean | undefined;
}

/** Whose access token `revoke` ends. */
export type RevokeRequest = ServiceChoice;

/** The registration that later calls are to use. */
export interface UseRequest {
  /** Its id, or the beginning of it where only one begins so. */
  readonly registrationId: string;
  /** Looks among the registrations of this service alone. */
  readonly service?: string | undefined;
}

/** What `forget` removes. */
export interface ForgetRequest extends ServiceChoice {
  /** A registration other than the current one: its id, or a beginning that no other has. */
  readonly registrationId?: string | undefined;
}

/** Which open sign-in `resumeProviderLogin` looks for. */
export interface ResumeProviderLoginRequest extends Abortable {
  /** The provider's issuer. Default: the only one where a sign-in is open. */
  readonly provider?: string | undefined;
  /** The client by its id at the provider. Default: any. */
  readonly clientId?: string | undefined;
}

/** Which kept answers `forgetKept` removes. */
export interface ForgetKeptRequest {
  /** The id of one kept answer; left out, all of the service. */
  readonly id?: string | undefined;
  /** An issuer or a resource; left out, any. */
  readonly service?: string | undefined;
}

export type { GivenClient };

/**
 * The sign-in that `providerLogin` opens (RFC 8628; OpenID Connect Core §3.1.2.1 for `prompt` and `maxAge`).
 */
export interface ProviderLoginRequest extends Abortable {
  /** The provider's issuer. */
  readonly provider: string;
  /** The user has to sign in again, even where the browser is signed in already. */
  readonly prompt?: 'login' | undefined;
  /** Seconds; how old the user's sign-in may be. */
  readonly maxAge?: number | undefined;
  /** How the user has to sign in, as the provider names it (`acr_values`). */
  readonly acrValues?: string | undefined;
  /** What the provider knows this agent by: kept, and used there from now on. Default: what is kept, else `agent-auth`. */
  readonly client?: GivenClient | undefined;
  /** The id at the provider for this sign-in, where none is kept for it. Default: `agent-auth`. */
  readonly clientId?: string | undefined;
  /**
   * The way to sign in: by a code that is typed on any device, or on a page in a browser of this machine. Where the
   * provider offers one alone, `browser` and `any` take that; of both `any` takes the code. Default: `device`.
   */
  readonly flow?: 'browser' | 'device' | 'any' | undefined;
  /** Where the answer of a page is taken on this machine, for a provider that compares ports. Default: a free one. */
  readonly redirectPort?: number | undefined;
}

/** The ID-JAG that `providerMint` asks for (RFC 8693). */
export interface ProviderMintRequest extends Abortable {
  /** Default: the one provider where the user is signed in. */
  readonly provider?: string | undefined;
  /** The service's issuer. */
  readonly audience: string;
  /** The client by its id at the provider, where none is kept for it. Default: `agent-auth`. */
  readonly clientId?: string | undefined;
  /** Binds it to one resource (RFC 8707). */
  readonly resource?: string | undefined;
  /** The scopes that the ID-JAG is to name. Default: none. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Called when the user has to agree first; then the agent asks again every five seconds until the
   * user has agreed, `timeout` milliseconds have passed (default 10 min) or the signal is aborted.
   * Left out: `consent_required` is the outcome.
   */
  readonly onConsentRequired?:
    | ((consent: { readonly consentUri: string; readonly openable: boolean }) => void)
    | undefined;
  /** Milliseconds to wait for a consent. Default: ten minutes. */
  readonly timeout?: number | undefined;
}

/** The ID-JAG that `redeem` redeems, once. */
export interface RedeemRequest extends Abortable {
  /** A protected URL, or its authorization server. */
  readonly service: string;
  /** The assertion of a provider, as `providerMint` gives it. */
  readonly assertion: Secret;
  /** What the service knows this agent by. Default: what is kept, else the client that the ID-JAG names. */
  readonly client?: GivenClient | undefined;
  /** What the token is to allow. Default: whatever the ID-JAG does. */
  readonly scopes?: readonly string[] | undefined;
}

/** The consent that `providerConsent` asks for, in the form of a mint. */
export type ProviderConsentRequest = ProviderMintRequest;

/** The consent that `providerRevoke` ends. */
export interface ProviderRevokeRequest extends Abortable {
  /** Default: the one provider where the user is signed in. */
  readonly provider?: string | undefined;
  /** The service's issuer. */
  readonly audience: string;
}
