/** What `connect` is asked for, and the steps that it reports. Members that may be `undefined` may be left out. */
import type { IdentityType } from '../../protocol/index.ts';
import type { AgentError } from '../agent-error.ts';
import type { Abortable } from '../context.ts';
import type { AccessToken, Discovery, Registration, Service, Warning } from '../model.ts';
import type {
  AccessGranted,
  ClaimNeeded,
  ClaimOpen,
  ClaimOutcome,
  ClaimPending,
  ConsentRequired,
  EndedClaim,
  ForgetOutcome,
  LoginRequired,
  Registered,
  RegisterOutcome,
  WaitEvent,
} from '../outcomes.ts';
import type { AskForCode, GivenClient } from '../requests.ts';

/** What `connect` is to reach, and whom it may ask on the way. */
export interface ConnectRequest extends Abortable {
  /** A service, a protected URL or an issuer. */
  readonly service: string;
  /** Default: what is registered already, else the lightest type that fits. */
  readonly type?: IdentityType | undefined;
  /** The user whose registration it is to be. */
  readonly email?: string | undefined;
  /** An issuer of ID-JAGs; makes the type `identity_assertion`. */
  readonly provider?: string | undefined;
  /**
   * What the service knows this agent by: its access comes by an ID-JAG of the provider, and nothing is registered
   * (draft-ietf-oauth-identity-assertion-authz-grant). Kept for the service.
   */
  readonly client?: GivenClient | undefined;
  /** What the token has to allow. A user is asked where it cannot be had without one. */
  readonly scopes?: readonly string[] | undefined;
  /** Let the user claim the registration, whatever it may do without. */
  readonly claim?: boolean | undefined;
  /** A path of the service, or a URL on it: called with GET, to prove the token. */
  readonly call?: string | undefined;
  /** Whether to revoke and forget at the end, also after an error, what this run registered. */
  readonly leave?: boolean | undefined;
  /** How the user is reached. Where a member is left out, `connect` stops instead. */
  readonly user?: ConnectUser | undefined;
  /** Called with each step as soon as it is done, for a screen or a log. */
  readonly onStep?: ((step: ConnectStep) => void) | undefined;
}

/** How the user is reached while `connect` runs. Each member that is left out makes it stop there instead. */
export interface ConnectUser {
  /**
   * Which of several types, where none is given and `anonymous` is not offered, and at which provider;
   * `undefined`: the lightest.
   */
  readonly type?:
    | ((
        offered: readonly IdentityType[],
      ) => Promise<Pick<ConnectRequest, 'type' | 'provider'> | undefined>)
    | undefined;
  /** The user's email address, where one is needed and none was given; `undefined`: it is not known. */
  readonly email?: (() => Promise<string | undefined>) | undefined;
  /** Shows the ceremony, of the kind `type_there`, while `wait` runs, and resolves with the outcome. */
  readonly claim?: ((open: ClaimOpen, wait: WaitForUser) => Promise<ClaimOutcome>) | undefined;
  /**
   * The code of a ceremony of the kind `read_back`, which its user finds on the page or in the mail; asked for
   * again, with the reason, where it is not taken. `undefined`: they do not have it yet.
   */
  readonly code?: AskForCode | undefined;
  /** Asks, once the code has expired, whether to open another attempt. */
  readonly anotherCode?: (() => Promise<boolean>) | undefined;
  /** Gets access by an ID-JAG; where the provider asks for the user, has them sign in there, and asks again. */
  readonly access?: ((attempt: AccessAttempt) => Promise<AccessGranted>) | undefined;
  /** Registers; where the provider asks for the user, has them sign in or consent there, and registers again. */
  readonly atProvider?: ((attempt: ConnectAttempt) => Promise<SettledRegistration>) | undefined;
}

/** Waits for the end of the claim. */
export type WaitForUser = (onEvent?: (event: WaitEvent) => void) => Promise<ClaimOutcome>;

/** A registration by ID-JAG. */
export interface ConnectAttempt {
  /** Where the agent registers. */
  readonly service: Service;
  /** What the provider is asked for. */
  readonly scopes: readonly string[] | undefined;
  /** Registers once more: to be called again after the user has signed in or consented. */
  readonly attempt: () => Promise<RegisterOutcome>;
}

/** An exchange at the provider, and what comes of it at the service. */
export interface AccessAttempt {
  readonly service: Service;
  /** What the provider is asked for. */
  readonly scopes: readonly string[] | undefined;
  /** Once more: to be called again after the user has signed in or consented. */
  readonly attempt: () => Promise<AccessGranted | LoginRequired | ConsentRequired>;
}

/** What a registration by ID-JAG ends in once the user has signed in and consented. */
export type SettledRegistration = Registered | ClaimPending | ClaimNeeded;

/** Reported as soon as it is done. */
export type ConnectStep =
  | { readonly step: 'discover'; readonly discovery: Discovery }
  | {
      readonly step: 'register';
      /** The service still had it: nothing was registered. */
      readonly already: boolean;
      readonly service: Service;
      readonly registration: Registration;
      /** The one in use until now, where it is still active. */
      readonly previous: Registration | undefined;
      /** The registrations that were asked about first and that the service no longer has. */
      readonly ended: readonly Registration[];
      /** The warnings of the registration and the exchange. */
      readonly warnings: readonly Warning[];
    }
  /** The provider lets the client reach the service for its user. */
  | {
      readonly step: 'exchange';
      readonly provider: string;
      /** Who is signed in there; `null`: not known. */
      readonly account: string | null;
      /** The client, by its id at the service. */
      readonly clientId: string;
      /** `null`: the provider does not say. */
      readonly scopes: readonly string[] | null;
      readonly warnings: readonly Warning[];
    }
  /** A user has to act: show the ceremony. */
  | { readonly step: 'claim'; readonly status: 'open'; readonly open: ClaimOpen }
  | {
      readonly step: 'claim';
      readonly status: 'claimed';
      readonly registration: Registration;
      readonly warnings: readonly Warning[];
    }
  | { readonly step: 'token'; readonly registration: Registration; readonly token: TokenFacts }
  | { readonly step: 'call'; readonly call: ProofCall; readonly warnings: readonly Warning[] }
  | { readonly step: 'leave'; readonly status: 'left'; readonly forgotten: ForgetOutcome }
  /** The registration was there before this run, so it stays. */
  | { readonly step: 'leave'; readonly status: 'kept'; readonly registration: Registration }
  | {
      readonly step: 'leave';
      readonly status: 'failed';
      readonly registration: Registration;
      readonly error: AgentError;
    };

/** A token without the token. */
export interface TokenFacts extends Omit<AccessToken, 'value'> {
  /** Milliseconds left, by the server's clock; `null`: the service did not say. */
  readonly remaining: number | null;
}

/** The call that proved the token: the answer is not kept. */
export interface ProofCall {
  /** What was called. */
  readonly url: string;
  /** Left out: GET. */
  readonly method?: 'GET' | 'POST' | undefined;
  /** The status code of HTTP. */
  readonly status: number;
}

/** The agent has a token, and what was asked for is done. */
export interface Connected {
  readonly status: 'connected';
  /** Whether nothing was registered or claimed in this run, since it was all there. */
  readonly already: boolean;
  readonly service: Service;
  readonly registration: Registration;
  /** What calls are made with, without the token itself. */
  readonly token: TokenFacts;
  /** What the agent may do now; `null`: the service did not say. */
  readonly scopes: readonly string[] | null;
  /** What a claim would add; empty where it can not be claimed, `null`: the service did not say. */
  readonly claimAdds: readonly string[] | null;
  /** The call that proved it; `null` where none was asked for. */
  readonly call: ProofCall | null;
  /** What was left again, where that was asked for. */
  readonly left: readonly ForgetOutcome[];
  /** The warnings of all steps, each once. */
  readonly warnings: readonly Warning[];
}

/** A code waits for its user; the same request goes on from there. */
export interface ConnectPending {
  readonly status: 'claim_pending';
  readonly service: Service;
  /** What the user needs. */
  readonly open: ClaimOpen;
}

/** What `connect` resolves with, told apart by `status`. */
export type ConnectOutcome =
  | Connected
  | ConnectPending
  | LoginRequired
  | ConsentRequired
  /** What the user, or the time, made of the claim. */
  | EndedClaim
  | Extract<ClaimOutcome, { readonly status: 'aborted' }>;
