/** What the agent's methods end in: closed unions, told apart by `status`. */
import type { Secret } from '../runtime/index.ts';
import type {
  AccessToken,
  Ceremony,
  KeptAnswer,
  ProviderSession,
  Registration,
  RegistrationState,
  Service,
  ServiceRecord,
  Warning,
} from './model.ts';

export type * from './claim-outcomes.ts';
export type * from './login-outcomes.ts';

/** The user has to agree at the provider first; then the same call again. */
export interface ConsentRequired {
  readonly status: 'consent_required';
  /** Where the user has to consent. */
  readonly provider: string;
  /** The service that they would be identified to. */
  readonly audience: string;
  /** The page where they do it. */
  readonly consentUri: string;
  /** Whether the page may be opened in a browser, as {@link Ceremony.openable}. */
  readonly openable: boolean;
  /** Milliseconds that the page waits for them; `null` where the provider does not say. */
  readonly remaining: number | null;
  /** The client that they would be identified by, by its id at the provider. Left out: `agent-auth`. */
  readonly clientId?: string | undefined;
}

/** The user has to sign in (again) at the provider; then the same call again. */
export interface LoginRequired {
  readonly status: 'login_required';
  /** `undefined` when an ID-JAG was given whose issuer is not known. */
  readonly provider: string | undefined;
  /** Who asks: nobody signed in here, the provider, or the service (`auth_time` too old). */
  readonly askedBy: 'agent' | 'provider' | 'service';
  /** Seconds; the oldest sign-in that is accepted. */
  readonly maxAge: number | undefined;
  /** How the user has to sign in (`acr_values`). Left out: in any way. */
  readonly acrValues?: string | undefined;
  /** The client to sign in to, by its id at the provider. Left out: `agent-auth`. */
  readonly clientId?: string | undefined;
  /** A sign-in there was opened and not waited for: `resumeProviderLogin` goes on with it. */
  readonly isOpen?: boolean | undefined;
}

/** A registration at the service, and what was registered there before. */
export interface Found {
  readonly service: Service;
  readonly registration: Registration;
  readonly warnings: readonly Warning[];
  /** Whether the service still had it, so that nothing was registered: with `reuse`. */
  readonly already: boolean;
  /** The registrations that were asked about and that the service no longer has: with `reuse`. */
  readonly ended: readonly Registration[];
  /** The one of this service that was in use until now, where this one replaced it and it is still active. */
  readonly previous: Registration | undefined;
}

/** A user has to act (see `ceremony`); the registration is stored and waits. */
export interface ClaimPending extends Found {
  readonly status: 'claim_pending';
  /**
   * `interaction_required`: the user confirms that this provider may identify the user of the account; `anonymous`:
   * only with `already`: its own assertion has expired, so that only its claim yields a token.
   */
  readonly reason: 'service_auth' | 'interaction_required' | 'anonymous';
  readonly ceremony: Ceremony;
}

/**
 * The outcome of `reuse` alone where the service still has the registration, and `startClaim` has to open a claim
 * attempt before there is a token.
 */
export interface ClaimNeeded extends Found {
  readonly status: 'claim_needed';
  /** The user denied the last attempt; its code has expired; no attempt was ever opened. */
  readonly reason: 'denied' | 'lapsed' | 'not_started';
}

/** Registered and exchanged; all stored. */
export interface Registered extends Found {
  readonly status: 'registered';
  readonly token: AccessToken;
}

/** `claim_needed` comes with `reuse` alone. */
export type RegisterOutcome =
  | Registered
  | ClaimPending
  | ClaimNeeded
  | LoginRequired
  | ConsentRequired;

/** The token to use now. It ends by the server's clock. */
export interface TokenInUse extends AccessToken {
  /** Where it comes from. */
  readonly source: 'environment' | 'store';
  /** Milliseconds left, or `null` when it is not known. */
  readonly remaining: number | null;
  /** Whether an exchange was needed. */
  readonly fresh: boolean;
  /** What was odd about that exchange's answer. */
  readonly warnings: readonly Warning[];
  /** `undefined` for a token of the environment. */
  readonly registration: Registration | undefined;
}

/** The answer to a call, redirects included: they are reported, never followed. */
export interface CallAnswer {
  /** What was called. */
  readonly url: string;
  /** The status code of HTTP. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The body as a stream; not read, not capped. */
  readonly response: Response;
  /** What was odd about the exchanges that the call needed. */
  readonly warnings: readonly Warning[];
}

/** What `revoke` resolves with. The registration stays. */
export interface RevokeOutcome {
  /** `no_token`: nothing was stored to revoke. */
  readonly status: 'revoked' | 'no_token';
  /** Where the token came from. */
  readonly source: 'environment' | 'store';
  /** Whose it was; `undefined` for a token of the environment. */
  readonly registration: Registration | undefined;
}

/** The outcome of `use`: another registration of this agent is in use now; nothing was sent. */
export interface UseOutcome {
  readonly status: 'in_use';
  /** Where it is registered. */
  readonly service: Pick<ServiceRecord, 'issuer' | 'name'>;
  /** The one that is in use now. */
  readonly registration: Registration;
  /** The one of the same service that was in use until now, where it is another and still active. */
  readonly previous: Registration | undefined;
}

/** What `forget` resolves with: the registration is removed from this machine in any case. */
export interface ForgetOutcome {
  /** The one that was removed. */
  readonly registration: Registration;
  /** The one that is in use in its place, where it was in use and another is there. */
  readonly next: Registration | undefined;
  /**
   * What became of the access token at the server: `unreachable` without an answer, `refused`
   * when it answered with an error, `not_offered` when the service has no revocation endpoint.
   */
  readonly revocation: 'revoked' | 'no_token' | 'not_offered' | 'refused' | 'unreachable';
  /** Milliseconds until the token ends by itself, when the revocation is not certain. */
  readonly tokenRemaining: number | null;
}

/** A registration as it stands by the clock of its server. */
export interface RegistrationStatus {
  readonly registration: Registration;
  /** The state by what is stored and the clock of the server. */
  readonly state: RegistrationState;
  /** Whether calls use it. */
  readonly current: boolean;
  /** The scopes of the state, or of the stored token. `null`: the service did not say. */
  readonly scopes: readonly string[] | null;
  /** Milliseconds left of each, `null` when there is none or it is not known. Negative: expired. */
  readonly tokenRemaining: number | null;
  readonly assertionRemaining: number | null;
  readonly refreshRemaining: number | null;
  readonly claimWindowRemaining: number | null;
  readonly attemptRemaining: number | null;
}

/** A service and its registrations on this machine. */
export interface ServiceStatus {
  /** The issuer of its authorization server. */
  readonly issuer: string;
  /** The base of its protected resource. */
  readonly resource: string;
  /** Its own name, cleaned. */
  readonly name: string | null;
  /** The server's clock minus ours, in milliseconds. */
  readonly clockOffset: number;
  /** Whether the server's clock was seen just now; otherwise what was stored counts. */
  readonly clockSeen: boolean;
  readonly registrations: readonly RegistrationStatus[];
}

/** A sign-in at a provider; `remaining` is in milliseconds, `null` where its end is not known. */
export interface ProviderStatus {
  /** Who is signed in there. */
  readonly session: ProviderSession;
  readonly remaining: number | null;
}

/** Everything that is stored on this machine, with its state. */
export interface Status {
  /** Where the credentials are: a path, or `memory`. */
  readonly location: string;
  /** Whether a token of the environment takes precedence over the store. */
  readonly environmentToken: boolean;
  /** The service that was used last, as in {@link Credentials}. */
  readonly lastService: string | null;
  readonly services: readonly ServiceStatus[];
  readonly providers: readonly ProviderStatus[];
  /** Answers of success that were kept because they were not understood. */
  readonly notUnderstood: readonly KeptAnswer[];
}

/** An ID-JAG for one audience; valid for minutes and for one registration. */
export interface Minted {
  readonly status: 'minted';
  /** What a registration by ID-JAG takes. */
  readonly assertion: Secret;
  readonly provider: string;
  readonly audience: string;
  /** When it expires, in milliseconds since the Unix epoch; `null`: the provider did not say. */
  readonly expiresAt: number | null;
  /** Whom it is for, by the id at the service; `null`: it does not say. */
  readonly clientId: string | null;
  /** What it allows at most; `null`: it does not say. */
  readonly scopes: readonly string[] | null;
}

/** A token that an ID-JAG was redeemed for; all stored. */
export interface AccessGranted {
  readonly status: 'granted';
  readonly service: Service;
  /** The access, as it is kept. */
  readonly registration: Registration;
  readonly token: AccessToken;
  readonly warnings: readonly Warning[];
}

/** What `providerMint` resolves with. */
export type MintOutcome = Minted | ConsentRequired | LoginRequired | MintAborted;

/** The wait for a consent ended before the user agreed. */
export interface MintAborted {
  readonly status: 'aborted';
}

/** What `providerConsent` resolves with. */
export type ConsentOutcome =
  | { readonly status: 'given'; readonly provider: string; readonly audience: string }
  | ConsentRequired
  | LoginRequired
  | MintAborted;

/** The result of a revocation at the provider. There is no consent afterwards in either case. */
export interface ConsentRevoked {
  /** `no_consent`: there was none to revoke. */
  readonly status: 'revoked' | 'no_consent';
  readonly provider: string;
  readonly audience: string;
  /**
   * Whether the service was notified: `delivered`; `pending`: the provider keeps trying;
   * `parked`: only an operator of the provider can try again; `none`: the service cannot be notified; `null`: the
   * provider did not say.
   */
  readonly event: 'delivered' | 'pending' | 'parked' | 'none' | null;
  /** Why it was not notified, as the provider reports; `status` of the service's answer. */
  readonly eventProblem: { readonly code: string; readonly status: number | undefined } | undefined;
}

/** What `providerRevoke` resolves with. */
export type ProviderRevokeOutcome = ConsentRevoked | LoginRequired;

/** A service's own instructions for agents: untrusted text. */
export interface SkillFile {
  /** `undefined` where agents cannot register. */
  readonly service: Service | undefined;
  /** Who published it: the service, or whoever the URL leads to. */
  readonly source: Pick<Service, 'name' | 'issuer'>;
  /** Where it was read. */
  readonly url: string;
  /** The media type that it was served with. */
  readonly mediaType: string;
  /** The file without control, escape, bidi and invisible characters. */
  readonly text: string;
}
