import { ID_JAG_GRANT_PROFILE } from '../../../protocol/index.ts';
import type { Sending } from '../../http/http-client.ts';
import type { CrossAppReading } from './given.ts';
import type { TestClient } from './test-client.ts';

/** A protected resource that ID-JAGs are for. */
export interface CrossAppResource {
  /** The resource as its metadata spells it, for claims and parameters: the URL where there is none. */
  readonly id: string;
  readonly url: string;
  readonly scopes: readonly string[];
  /** How it is called; without a token that is answered 401. */
  readonly call: Sending;
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
