import type { Actor } from '../../mock/audit/audit.ts';
import type { AuthenticatedClient } from '../../mock/clients/authenticate-client.ts';
import type { Delay } from '../../mock/http/delay.ts';
import type { BodyReader, Form, Route } from '../../mock/http/request.ts';
import type { KeyRing } from '../../mock/keys/key-ring.ts';
import type { Site } from '../../mock/pages/site.ts';
import type { ReturnTo } from '../../mock/sessions/return-to.ts';
import type { Sessions } from '../../mock/sessions/sessions.ts';
import type { Database } from '../../mock/store/database.ts';
import type { Clock, Fetch, Log, Random } from '../../runtime/ports.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { IdTokens } from '../id-token/id-tokens.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import type { SendEvent } from '../outbox/send-event.ts';
import type { Views } from '../pages/views.ts';
import type { CodeStore } from '../store/code-store.ts';
import type { ConsentStore } from '../store/consent-store.ts';
import type { DeviceStore } from '../store/device-store.ts';
import type { SignInTokens } from '../store/sign-in-tokens.ts';
import type { UserStore } from '../users/user-store.ts';
import type { Decisions } from './decisions.ts';

/**
 * What the handlers work with: the configuration, what is decided by, and the parts. All handlers get
 * the same context, so a part that is replaced is replaced for each of them. Parts hold state,
 * such as sessions and keys: a part that replaces another must delegate to it.
 */
export interface ProviderContext {
  readonly config: ProviderConfig;
  readonly decisions: Decisions;
  /** Every route of the provider, but for its controls. */
  readonly routes: (provider: ProviderContext) => readonly Route[];
  /** How the bodies of requests are read: which types, how much, and how a form is parsed. */
  readonly reader: BodyReader;
  /** Where a sign-in may lead. */
  readonly returnTo: ReturnTo;
  /** What the pages show. */
  readonly views: Views;
  /** The mock's own time: the machine's, moved as the controls say. */
  readonly clock: Clock;
  /** Where the parts keep what has to outlive a process. */
  readonly db: Database;
  /** Where ids, codes and tokens come from. */
  readonly random: Random;
  /** What it waits with where it answers late. */
  readonly delay: Delay;
  /** Reads metadata of services, and sends them events. */
  readonly fetch: Fetch;
  readonly log: Log;
  /** Signs ID tokens, ID-JAGs and events, and publishes the keys that verify them. */
  readonly keys: KeyRing;
  /** The header of the pages. */
  readonly site: Site;
  /** Browser sessions: who is signed in, and CSRF protection. */
  readonly sessions: Sessions;
  readonly users: UserStore;
  /** Device codes, and what users answer about them (RFC 8628). */
  readonly devices: DeviceStore;
  /** The access tokens that sign-ins end in. */
  readonly signInTokens: SignInTokens;
  /** Authorization codes and refresh tokens of clients. */
  readonly codes: CodeStore;
  /** Consents, and the consent requests that wait for users. */
  readonly consents: ConsentStore;
  /** Revokes a consent, and tries to notify its audience. */
  readonly revokeConsent: (provider: ProviderContext, revoked: Revoked) => Promise<Revocation>;
  /** Events on their way to services. */
  readonly outbox: Outbox;
  /** Tries once to send an event. */
  readonly sendEvent: SendEvent;
  /** Issues ID tokens, and verifies those that come back as subject tokens. */
  readonly idTokens: IdTokens;
  /** The grants of the token endpoint, by `grant_type`. */
  readonly grants: ReadonlyMap<string, Grant>;
  /** Under which user codes are stored. */
  readonly userCodeKey: string;
}

/** Answers a request to the token endpoint, whose client is known by then (RFC 6749 §4.5). */
export type Grant = (
  provider: ProviderContext,
  form: Form,
  client: AuthenticatedClient,
) => Promise<Response>;

export interface Revocation {
  /** `false`: there was no such consent. */
  readonly revoked: boolean;
  /**
   * The event that notifies the audience; `undefined` when there never was one. Of several events,
   * one that was not delivered.
   */
  readonly event: OutboxEntry | undefined;
}

/** Which consent is revoked, and by whom. */
export interface Revoked {
  readonly email: string;
  readonly audience: string;
  /** Whose consent it is. `undefined`: the agent's. */
  readonly client?: string | undefined;
  readonly actor: Actor;
}
