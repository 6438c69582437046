import type { JsonObject } from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';
import type { UrlPolicy } from '../http/url-policy.ts';
import type { Hop, Warning, WarningCode } from '../model.ts';

/** The metadata document of a client, and how it came. */
export interface ClientDocument {
  readonly json: JsonObject;
  readonly text: string;
  readonly byteOrderMark: boolean;
  readonly mediaType: string;
}

/** What a discovery has read so far, for whoever judges it. */
interface Read {
  server?: JsonObject;
  resource?: JsonObject;
  /** Where the URL that was given is that of a client's document. */
  client?: ClientDocument;
  /** Where the resource's metadata counts as served. */
  resourceAt?: string;
  /** What the challenge asks for (RFC 6750 §3). */
  scope?: string;
  /** Where the server's metadata lies, else the resource's, else the client's document. */
  at?: string;
  skill?: { readonly url: string; readonly text: string };
}

/** The requests of a discovery, the differences that it tolerated, and the documents that it read. */
export class Hops {
  readonly list: Hop[] = [];
  readonly warnings: Warning[] = [];
  readonly read: Read = {};
  readonly policy: UrlPolicy;
  /** What ends its requests. */
  readonly signal: AbortSignal | undefined;

  constructor({ policy, signal }: Pick<Hops, 'policy' | 'signal'>) {
    this.policy = policy;
    this.signal = signal;
  }

  hop(
    step: Hop['step'],
    url: string,
    status: number | null,
    learnt: string,
    method?: Hop['method'],
  ): void {
    this.list.push({ step, url, ...(method && { method }), status, learnt });
  }

  warn(code: WarningCode, message: string): void {
    this.warnings.push({ code, message });
  }

  /** A difference that a standard forbids: a warning, or with `strict` an error. */
  tolerate(warning: WarningCode, message: string): void {
    if (this.policy.strict) {
      throw new AgentError(message, {
        code: STRICT[warning] ?? 'metadata_invalid',
        hint: 'Without --strict this difference is tolerated.',
      });
    }
    this.warn(warning, message);
  }
}

/** What a difference is where none is tolerated; any other makes the metadata invalid. */
const STRICT: Readonly<Partial<Record<WarningCode, AgentErrorCode>>> = {
  issuer_final_slash: 'issuer_mismatch',
  metadata_place: 'metadata_not_found',
  resource_covers: 'resource_mismatch',
  resource_differs: 'resource_mismatch',
  resource_final_slash: 'resource_mismatch',
};
