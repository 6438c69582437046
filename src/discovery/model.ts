import { DIALECT_IDS, type DialectId } from '../protocol/index.ts';

/** The families of this protocol that are told apart, each with requests and answers of its own. */
export const FAMILIES = DIALECT_IDS;

/**
 * `flat`: the wire contract's own; the user types a code that the agent shows. `nested`: answers in
 * `identity{}` and `claim{}`; the agent hands in a code that a page shows. `first`: a credential from the
 * registration itself, a code by mail.
 */
export type FamilyId = DialectId;

/** What published documents amount to. */
export const VERDICTS = [
  /** An agent can try to register. */
  'usable',
  /** Agents can register, once somebody says which of two things is meant. */
  'choice',
  /** The names are there, but nothing to register at. */
  'published_only',
  /** The URL is that of OAuth client registration (RFC 7591), which is another protocol. */
  'client_registration',
  /** OAuth without a registration of agents. */
  'plain_oauth',
  'not_this_protocol',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What recognition reads. Everything in it is untrusted, and may be of any shape. */
export interface Documents {
  /** Authorization server metadata, or an object that holds nothing but `agent_auth`. */
  readonly server?: unknown;
  /** Protected resource metadata. */
  readonly resource?: unknown;
  /** The metadata document of a client, at the URL that is its `client_id`. */
  readonly client?: unknown;
  /** The text of a skill file: its URLs are hints, never endpoints. */
  readonly skill?: string | undefined;
  /** Where the server metadata was found, else the resource metadata, else the client's document. */
  readonly at?: string | undefined;
  /** Where the resource metadata was found. */
  readonly resourceAt?: string | undefined;
  /** `server` is a file that holds a block, and was published as no document of a server. */
  readonly isBlock?: boolean;
  /** An answer to `choice`. */
  readonly family?: FamilyId | undefined;
}

export type DocumentName = 'server' | 'resource' | 'skill' | 'client';

/** What one member of one document shows. */
export interface Evidence {
  readonly document: DocumentName;
  /** Dotted, as in `agent_auth.identity_endpoint`. */
  readonly member: string;
  /** Its value, made safe to show and cut. */
  readonly value: string;
  /** A clause: what it shows. */
  readonly shows: string;
  /** The families that it speaks for; empty: for none in particular. */
  readonly families: readonly FamilyId[];
}

/** URLs as the documents give them: absolute http or https, nothing else is checked of them. */
export interface Endpoints {
  readonly register: string | undefined;
  readonly claim: string | undefined;
  /** Where the agent hands in a code, where the documents say so. */
  readonly complete: string | undefined;
  readonly token: string | undefined;
  /** RFC 7009. */
  readonly revocation: string | undefined;
  /** Where a provider reports what ended. */
  readonly events: string | undefined;
  readonly skill: string | undefined;
  readonly authorization: string | undefined;
  /** RFC 7591. */
  readonly clientRegistration: string | undefined;
  readonly deviceAuthorization: string | undefined;
  readonly jwks: string | undefined;
}

/** What an OAuth server offers beside or instead of a registration of agents. */
export type Offer =
  | 'authorization_code'
  | 'device_code'
  | 'client_registration'
  | 'client_credentials'
  | 'token_exchange'
  | 'id_jag_profile';

/** What is there in place of a service that registers agents, where its document shows that. */
export type Role =
  /** Users sign in there, and it gives ID-JAGs for them. */
  | 'provider'
  /** The server takes ID-JAGs from clients that are registered with it. */
  | 'cross_app'
  /** A client is known by the document, and it is no server at all. */
  | 'client';

/** How a user's e-mail address is registered: as `service_auth`, or by one of its older names. */
export type EmailForm = 'service_auth' | 'verified_email_assertion' | 'verified_email_type';

/** A thing that the documents may mean, where they may mean two. */
export interface Choice {
  readonly family: FamilyId;
  readonly register: string;
  /** The member that names the URL. */
  readonly member: string;
}

/** A URL in the text of a skill file. */
export interface Hint {
  readonly kind: 'register' | 'claim' | 'token' | 'metadata' | 'other';
  readonly url: string;
}
