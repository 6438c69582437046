import { ID_JAG_GRANT_PROFILE } from '../../../protocol/index.ts';
import type { Sending } from '../../http/http-client.ts';
import type { TestClient } from './test-client.ts';

/** Whose reading of an ID-JAG that is sent again is judged: EMA §7.4.2 has it refused, ID-JAG §4.4.3 may take it. */
export const READINGS = ['ema', 'id-jag'] as const;
/** The text by which cross-app access is judged: one of {@link READINGS}. */
export type CrossAppReading = (typeof READINGS)[number];

/** A protected resource that ID-JAGs are for. */
export interface CrossAppResource {
  /** The resource as its metadata spells it, for claims and parameters: the URL where there is none. */
  readonly id: string;
  readonly url: string;
  readonly scopes: readonly string[];
  /** How it is called; without a token that is answered 401. */
  readonly call: Sending;
}

/** A client at the judged server, as its developer gives it. */
export interface GivenClient {
  readonly id: string;
  /** Left out: it is public. */
  readonly secret?: string | undefined;
}

/** What the suite is given to judge cross-app access with. */
export interface CrossAppOptions {
  /** The client that redeems ID-JAGs, and where there is one another, which tries those of the first. */
  readonly clients?: readonly GivenClient[];
  /** The suite is the client, by a metadata document that it serves beside its provider's. */
  readonly clientDocument?: boolean;
  /** Whether an ID-JAG may be sent again: `ema` says never, `id-jag` that it may. Default: `ema`. */
  readonly reading?: CrossAppReading;
  /** Protected URLs, absolute or relative to the target: the first is the one that ID-JAGs are for. */
  readonly resources?: readonly string[];
  /** The `sub` of a user whom the server knows. Default: new ones. */
  readonly subject?: string;
}

/** Whether somebody wants it judged, whatever the server lists. */
export function namesClient({ clientDocument, clients = [] }: CrossAppOptions = {}): boolean {
  return clientDocument === true || clients.length > 0;
}

/** What of cross-app access there is to judge. */
export interface CrossAppFacts {
  /** The client that redeems; undefined: none was named. */
  readonly client: TestClient | undefined;
  readonly otherClient: TestClient | undefined;
  /** The suite's own, which has a metadata document. */
  readonly documented: TestClient;
  readonly resources: readonly CrossAppResource[];
  readonly reading: CrossAppReading;
  readonly subject: string | undefined;
  /** Why no ID-JAG of the suite can be expected to be redeemed; undefined: its provider is trusted. */
  readonly distrust: string | undefined;
  /** The server registers no agents: the rest of the suite is not for it. */
  readonly isAlone: boolean;
}

/** Why it is left, and what has it judged. */
export const NOT_ASKED =
  'Redeeming an ID-JAG takes a client that the server knows: add --client-id ID --client-secret @FILE, or --client-document where it reads client ID metadata documents.';

type Json = Readonly<Record<string, unknown>>;

/** What is to be judged of it: where a client was named, or where the server has nothing else. */
export function judgedCrossApp({
  crossApp,
  metadata,
}: {
  readonly crossApp?: CrossAppFacts;
  readonly metadata: Json;
}): CrossAppFacts | undefined {
  if (crossApp === undefined) return undefined;
  const isOffered = crossApp.isAlone && listsProfile({ metadata });
  return crossApp.client !== undefined || isOffered ? crossApp : undefined;
}

/** Whether the server says that ID-JAGs are for it. */
export function listsProfile({ metadata }: { readonly metadata: Json }): boolean {
  const profiles = metadata['authorization_grant_profiles_supported'];
  return Array.isArray(profiles) && profiles.includes(ID_JAG_GRANT_PROFILE);
}
