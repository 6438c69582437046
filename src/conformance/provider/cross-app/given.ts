/** Prints an ID token of a user, for a client. */
export type IdTokenCommand = (
  email: string,
  asked: { readonly client_id: string },
) => Promise<string>;

/** Compared without its port by whoever follows RFC 8252 §7.3. */
export const DEFAULT_REDIRECT = 'http://127.0.0.1:4899/callback';

/** A client of the judged provider, as it is registered there. Without a secret it is a public one. */
export interface GivenClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** What an identity provider is judged with. */
export interface CrossAppGiven {
  /** The client that signs its users in, and exchanges their ID tokens for ID-JAGs. It has a secret. */
  readonly client: GivenClient & { readonly secret: string };
  /** A second client, to which nothing of the first one belongs. */
  readonly other?: GivenClient | undefined;
  /** Registered for both, as it is written. Nobody has to listen there. */
  readonly redirectUri: string;
  /** The issuer of a resource authorization server that it mints for. */
  readonly audience?: string | undefined;
  /** A resource of that server. Default: requests name none. */
  readonly resource?: string | undefined;
  /** The `client_id` of the client at that server, as the provider has it mapped. Default: whatever it says. */
  readonly clientIdThere?: string | undefined;
  /** Gives ID tokens of the clients, where their users cannot be signed in by the forms of pages. */
  readonly idTokenCommand?: IdTokenCommand | undefined;
  /** A user whom policy refuses that server. */
  readonly refusedEmail?: string | undefined;
}
