import {
  authorizationServerMetadataUrls,
  displayText,
  displayWord,
  type JsonObject,
  openidConfigurationUrls,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Peer } from '../http/peer.ts';
import { fetchMetadata, otherSpelling } from './fetch-metadata.ts';
import type { Hops } from './hops.ts';

export interface ServerMetadata {
  /** The issuer, as the document spells it. */
  readonly issuer: string;
  readonly document: JsonObject;
  readonly url: string;
}

interface Found {
  readonly document: JsonObject;
  readonly problem: AgentError | undefined;
}

interface ServerQuestion {
  readonly issuer: string;
  /** A user typed the issuer: one final slash more than its metadata has is no difference. */
  readonly typed?: boolean;
  /** Describes a document in a few words. */
  readonly describe: (document: JsonObject) => string;
}

/**
 * The metadata of an authorization server (RFC 8414): at the inserted URL, after a 404 or a page at the
 * plain and the appended one, then where OpenID Connect has it: what only signs users in often publishes no other.
 * `undefined` when there is none.
 * @throws AgentError `issuer_mismatch`, or as `fetchMetadata`.
 */
export async function readServerMetadata(
  peer: Peer,
  { issuer, typed = false, describe }: ServerQuestion,
  hops: Hops,
): Promise<ServerMetadata | undefined> {
  let mismatch: AgentError | undefined;
  let page: AgentError | undefined;
  const own = authorizationServerMetadataUrls(issuer);
  const places = [...own, ...openidConfigurationUrls(issuer)];
  for (const [place, url] of places.entries()) {
    const found = await fetchMetadata<Found>(
      peer,
      'server_metadata',
      url,
      hops,
      (document) => {
        const problem = issuerProblem(document, issuer);
        if (place === 0 || problem === undefined)
          Object.assign(hops.read, { server: document, at: url });
        // At a fallback place the document may well be another server's: look on.
        if (problem !== undefined && place === 0) throw problem;
        return problem === undefined
          ? [{ document, problem }, describe(document)]
          : [{ document, problem }, 'the metadata of another issuer'];
      },
      (error) => {
        page ??= error;
      },
    );
    if (found === undefined) continue;
    if (found.problem !== undefined) {
      mismatch ??= found.problem;
      continue;
    }
    if (place > 0 && place < own.length) {
      hops.tolerate(
        'metadata_place',
        `The server metadata lies at ${displayText(url, 200)}, not where RFC 8414 §3.1 puts it.`,
      );
    }
    const { document } = found;
    return { issuer: judgeSpelling(document, issuer, typed, hops), document, url };
  }
  const problem = mismatch ?? page;
  if (problem !== undefined) throw problem;
  return undefined;
}

/** RFC 8414 §3.3, a difference in the final slash aside. */
function issuerProblem(document: JsonObject, expected: string): AgentError | undefined {
  const issuer = document['issuer'];
  if (isUnnamedAtOrigin(document, expected)) return undefined;
  if (typeof issuer !== 'string') {
    return new AgentError('The authorization server metadata names no issuer.', {
      code: 'metadata_invalid',
    });
  }
  if (withoutFinalSlash(issuer) === withoutFinalSlash(expected)) return undefined;
  return new AgentError(
    `The authorization server metadata is of the issuer ${displayWord(issuer, 100)}, not of ${displayText(expected, 100)}: it is not used.`,
    { code: 'issuer_mismatch', ...otherSpelling(issuer, expected) },
  );
}

/** The origin that was asked can only be that of its own metadata. */
function isUnnamedAtOrigin({ issuer }: JsonObject, expected: string): boolean {
  return (issuer ?? undefined) === undefined && new URL(expected).pathname === '/';
}

function judgeSpelling(document: JsonObject, expected: string, typed: boolean, hops: Hops): string {
  if (isUnnamedAtOrigin(document, expected)) {
    hops.tolerate(
      'issuer_missing',
      'The authorization server metadata names no issuer: the origin that was asked counts as it.',
    );
    return new URL(expected).origin;
  }
  const issuer = String(document['issuer']);
  if (issuer !== expected && !(typed && `${issuer}/` === expected)) {
    hops.tolerate(
      'issuer_final_slash',
      `The server calls itself ${displayText(issuer, 100)}, but is named as ${displayText(expected, 100)}: they differ in the final slash.`,
    );
  }
  return issuer;
}
