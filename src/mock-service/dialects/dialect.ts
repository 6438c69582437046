import type { Envelope, Route } from '../../mock/http/request.ts';
import type { Tamper } from '../../mock/http/tamper.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { AfterClaim } from '../claim-machine/machine.ts';
import type { CodeSource, FreshAttempt } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { Lifetimes } from '../config/lifetimes.ts';
import type { LinkExisting } from '../config/link-existing.ts';

/**
 * How a service spells what it is asked and what it answers. Handlers decide in normal terms alone: what they
 * read comes from a dialect, what they found goes through it, and none of them knows which one it is.
 */
export interface ServiceDialect {
  readonly registration: RegistrationWire;
  readonly claim: ClaimWire;
  /** The grant with which an agent polls for a claim; undefined where it hands in a code. */
  readonly claimGrant: ClaimGrantWire | undefined;
  /** What a completed claim does to what was issued before. Left out: it supersedes it. */
  readonly afterClaim?: AfterClaim;
  /** An ID-JAG that matches an existing account, where no option decides. Left out: its user is asked. */
  readonly linkExisting?: LinkExisting;
  /** What a registration can call with at once. Left out: nothing; its assertion is exchanged. */
  readonly direct?: DirectForm;
  /** The mail that brings a code to its user. Left out: none is sent. */
  readonly codeMail?: (about: MailedCode, speaker: Speaker) => MailText;
  /** How endpoints of this protocol spell a problem. */
  readonly problems: ProblemWire;
  /** Whether its token endpoint takes ID-JAGs of clients (cross-app access), too. Left out: no. */
  readonly redeemsIdJags?: true;
  /** How the codes of claims are made. */
  readonly codes: CodeSource;
  /** What it is to the claim machine that a user approves: typing the code, or confirming on the page. */
  readonly approval: 'submit' | 'confirm';
  /** Whether the agent that hands in a code gets by it what no request gives later. Left out: no. */
  readonly givesForCode?: true;
  /** The members of the server's metadata after those of the resource. */
  metadata(config: MetadataConfig): ServerMembers;
  /** Which endpoints there are, and with them which way a code goes. */
  routes(endpoints: ServiceEndpoints): DialectRoutes;
  /**
   * The Markdown file that tells an agent what to do.
   * @param trusted the issuers of the providers that are trusted now.
   */
  skill(config: ServiceConfig, trusted: readonly string[]): string;
  /** How its assertions are written. Left out: as the JWTs that they are. */
  readonly assertionForm?: AssertionForm;
  /** What its access tokens begin with. Left out: `at_`. */
  readonly tokenPrefix?: string;
  /** Lifetimes that are otherwise where no option says them. */
  readonly lifetimes?: Partial<Lifetimes>;
  /** Which document has the block of this protocol. Left out: that of the server. */
  readonly blockIn?: 'resource';
  /** A last change of what leaves for programs, whatever endpoint it is of. Left out: none. */
  readonly says?: Tamper;
}

/** What metadata is written from: everything but the members that are added to it. */
export type MetadataConfig = Omit<ServiceConfig, 'metadata'>;

/** Members of the server's metadata, among them the block of this protocol. */
export interface ServerMembers {
  readonly agent_auth: JsonObject;
  readonly [member: string]: unknown;
}

/** What every answer may be written from beside what it is about. */
export interface Speaker {
  readonly issuer: string;
  readonly now: number;
}

export interface RegistrationWire {
  /** @throws WireProblem that says what is wrong with the request. */
  read(members: JsonObject, rules: RegistrationRules): RegistrationRequest;
  /** The answer to a registration that was made. */
  write(made: Registered, speaker: Speaker): Response | Promise<Response>;
  /** What a refusal shows beside its code, where a user has to confirm a link first. */
  confirmation(made: ToBeClaimed, speaker: Speaker): JsonObject;
}

/** What a reader of registrations asks, in the order in which problems are to be told. */
export interface RegistrationRules {
  /** Called as soon as the type is known. Throws when it is switched off. */
  admit(type: IdentityType): void;
}

export interface Agent {
  /** What the agent calls itself. */
  readonly agentName: string | undefined;
}

/** A request to register, whatever its spelling. */
export type RegistrationRequest = Agent &
  (
    | { readonly type: 'anonymous' }
    /** @prop hint the email as it was sent. */
    | { readonly type: 'service_auth'; readonly hint: string }
    | { readonly type: 'identity_assertion'; readonly assertion: string }
    | RefreshRequest
  );

/** A registration goes on with its refresh token. A dialect that reads it says how it is answered. */
export interface RefreshRequest {
  readonly type: 'refresh';
  readonly refreshToken: string;
  write(renewed: Renewed, speaker: Speaker): Response;
}

/** A refresh token, good for one use. */
export interface IssuedRefreshToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** What a registration goes on with. */
export interface Renewed {
  /** The facts as they are now. */
  readonly facts: RegistrationFacts;
  readonly assertion: SignedAssertion;
  readonly refreshToken: IssuedRefreshToken;
}

/** An assertion, signed, and when it ends. */
export interface SignedAssertion {
  readonly jwt: string;
  readonly expiresAt: number;
}

/** How an assertion is written on the wire, and read again. */
export interface AssertionForm {
  write(jwt: string): string;
  /** Undefined for a text that is none. */
  read(text: string): string | undefined;
}

/** What the credentials of registrations are like. */
export interface DirectForm {
  /** What each begins with. */
  readonly prefix: string;
  /** Whether no time ends it; else it lasts as long as an access token. */
  readonly isEndless: boolean;
}

/** A credential that a registration has without an exchange. */
export interface DirectCredential {
  readonly value: string;
  readonly scopes: readonly string[];
  /** Undefined: no time ends it. */
  readonly expiresAt: number | undefined;
}

/** A code on its way to the mailbox of its user; nothing that the agent says of itself goes with it. */
export interface MailedCode {
  readonly facts: RegistrationFacts;
  readonly serviceName: string;
  readonly attempt: OpenedAttempt;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** A registration that was made. */
export type Registered =
  /** Usable at once, and for a user to claim. */
  | {
      readonly kind: 'anonymous';
      readonly facts: RegistrationFacts;
      readonly assertion: SignedAssertion;
      readonly direct: DirectCredential | undefined;
      readonly claimToken: string;
    }
  /** A registration of no use before its user has claimed it. */
  | ({ readonly kind: 'to_be_claimed' } & ToBeClaimed)
  /** A registration in the name of a user already. */
  | {
      readonly kind: 'established';
      readonly facts: RegistrationFacts;
      readonly assertion: SignedAssertion;
      readonly direct: DirectCredential | undefined;
    };

/** A registration with the claim attempt that it came with. */
export interface ToBeClaimed {
  readonly facts: RegistrationFacts;
  readonly claimToken: string;
  readonly attempt: OpenedAttempt;
}

/** An attempt with its secrets, which are shown once. */
export interface OpenedAttempt extends FreshAttempt {
  readonly expiresAt: number;
  /** The time between two polls, in milliseconds. */
  readonly interval: number;
}

export interface ClaimWire {
  /** @throws WireProblem that says what is wrong with the request. */
  read(members: JsonObject, rules: ClaimRules): ClaimStart;
  /** The answer to a claim attempt that was opened. */
  write(
    started: { readonly facts: RegistrationFacts; readonly attempt: OpenedAttempt },
    speaker: Speaker,
  ): Response;
}

export interface ClaimRules {
  /** The email that a text is, normalized; undefined when it is none. */
  readEmail(text: string): string | undefined;
}

export interface ClaimStart {
  readonly claimToken: string;
  /** Normalized. Undefined keeps the one on record. */
  readonly email: string | undefined;
}

export interface ClaimGrantWire {
  /** The values of `grant_type` by which it is asked for. */
  types(config: Pick<ServiceConfig, 'vendors'>): readonly string[];
  /** What it adds to a token. */
  members(assertion: SignedAssertion): JsonObject;
}

/** How a code is handed in by the agent, and what it gets for it. */
export interface RedemptionWire {
  /** @throws WireProblem that says what is wrong with the request. */
  read(members: JsonObject): Redemption;
  write(redeemed: Redeemed, speaker: Speaker): Response;
  /** Whether a refresh token comes with the assertion. */
  readonly withRefreshToken: boolean;
  /** Whether an answer that got lost can be had again, within the lifetime of redeliveries. */
  readonly redelivers: boolean;
  /** Whether the code went to the user's mailbox: then nobody confirms on a page. */
  readonly isMailed: boolean;
  /** Whether who had no credential before gets one with the claim. Left out: no. */
  readonly givesCredential?: true;
}

export interface Redemption {
  readonly claimToken: string;
  /** The code, as it was sent. */
  readonly code: string;
}

/** A claim that was made. */
export interface Redeemed {
  /** The facts as they are now. */
  readonly facts: RegistrationFacts;
  readonly assertion: SignedAssertion;
  readonly refreshToken: IssuedRefreshToken | undefined;
  readonly direct: DirectCredential | undefined;
}

export interface ProblemWire {
  /** How problems of registrations and claims are written. */
  readonly registration: Envelope;
  /** How problems of tokens and their revocation are written. */
  readonly oauth: Envelope;
  /** How problems of events are written. */
  readonly event: Envelope;
}

/** Every endpoint that a dialect can have, ready to be listed. */
export interface ServiceEndpoints {
  readonly register: Route;
  readonly startClaim: Route;
  readonly token: Route;
  readonly revoke: Route;
  readonly receiveEvent: Route;
  /** The agent shows the code, and its user types it on a page. */
  readonly typeThere: {
    readonly page: Route;
    /** The form of the page. */
    readonly complete: Route;
  };
  /** The user confirms on the page, which then shows the code, and the agent hands it in. */
  readonly readBack: {
    readonly page: Route;
    /** The form of the page. */
    readonly confirm: Route;
    redeem(wire: RedemptionWire): Route;
  };
  /** The code came by mail: the page behind its link says what it is for, and can deny. */
  readonly mailed: {
    readonly page: Route;
    /** The form of the page. */
    readonly deny: Route;
  };
}

export interface DialectRoutes {
  /** The routes for programs. */
  readonly api: readonly Route[];
  /** The pages for whoever follows the link of a claim. */
  readonly claimPages: readonly Route[];
}
