import { mayReach } from '../../protocol/host-reach.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { JwkSet } from '../../protocol/jwk.ts';
import {
  authorizationServerMetadataUrls,
  JWKS_PATH,
  openidConfigurationUrls,
  urlProblem,
  withoutFinalSlash,
} from '../../protocol/urls.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { FetchDocument } from './fetch-document.ts';
import { Kept, type KeySource } from './key-source.ts';

interface IssuerKeysOptions {
  readonly keys: KeySource;
  readonly fetch: FetchDocument;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where an issuer's keys are, by its metadata. */
interface Location {
  readonly url: Kept<string>;
  /** The metadata that did not answer. */
  failedUrl: string;
}

/**
 * The key sets of trusted issuers. Where an entry does not say where its keys are, the issuer's metadata
 * does: read at first use, and again as often as a key set is. Nothing of a token decides what is fetched.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  /** Where keys are, by issuer. */
  readonly #locations = new Map<string, Location>();

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** The key set, as a {@link KeySource} has it. `undefined`: it, or the metadata, is unavailable now. */
  async keySet({ issuer, jwksUri }: TrustedIssuer, kid: string): Promise<JwkSet | undefined> {
    const url = jwksUri ?? (await this.#locate(issuer, kid));
    return url === undefined ? undefined : this.#options.keys.keySet(url, kid);
  }

  /** Which URL did not answer when a key set was unavailable. */
  unavailableUrl({ issuer, jwksUri }: TrustedIssuer): string {
    const { failedUrl, url } = this.#location(issuer);
    return jwksUri ?? url.value ?? failedUrl;
  }

  /** Forgets the key set and where it was: the next call fetches both. */
  forget({ issuer, jwksUri }: TrustedIssuer): void {
    const url = jwksUri ?? this.#locations.get(issuer)?.url.value;
    if (url !== undefined) this.#options.keys.forget(url);
    this.#locations.delete(issuer);
  }

  #location(issuer: string): Location {
    const location = this.#locations.get(issuer) ?? { url: new Kept<string>(), failedUrl: issuer };
    this.#locations.set(issuer, location);
    return location;
  }

  /** While the metadata is unavailable, keys are where they were before. */
  async #locate(issuer: string, kid: string): Promise<string | undefined> {
    const location = this.#location(issuer);
    const current = await location.url.current(
      this.#options.clock,
      (url) => this.#options.keys.holds(url, kid),
      () => this.#read(issuer, location),
    );
    return current ?? location.url.value;
  }

  async #read(issuer: string, location: Location): Promise<string | undefined> {
    const { fetch, log } = this.#options;
    for (const url of metadataUrls(issuer)) {
      const fetched = await fetch(url);
      if (fetched.ok) {
        const read = readJwksUri(fetched.document, issuer);
        if (read.ok) return read.jwksUri;
        log.warn('trust.metadata_refused', { url, problem: read.problem });
      } else if (fetched.problem === 'unavailable') {
        // Its keys may be elsewhere: not to be guessed.
        location.failedUrl = url;
        log.warn('trust.metadata_unavailable', { url });
        return undefined;
      }
    }
    return defaultKeySetUrl(issuer);
  }
}

/** Where an issuer without metadata has its keys. */
function defaultKeySetUrl(issuer: string): string {
  return withoutFinalSlash(issuer) + JWKS_PATH;
}

/** RFC 8414 §3.1, then where OpenID Connect has it (RFC 8414 §5, Discovery §4.1). */
function metadataUrls(issuer: string): readonly string[] {
  return [
    ...authorizationServerMetadataUrls(issuer).slice(0, 1),
    ...openidConfigurationUrls(issuer),
  ];
}

type ReadJwksUri =
  | { readonly ok: true; readonly jwksUri: string }
  | { readonly ok: false; readonly problem: 'issuer_mismatch' | 'no_jwks_uri' | 'bad_jwks_uri' };

/** Metadata of another issuer is not used, by one character alone (RFC 8414 §3.3). */
function readJwksUri(document: JsonObject, issuer: string): ReadJwksUri {
  const { issuer: named, jwks_uri: jwksUri } = document;
  if (named !== issuer) return { ok: false, problem: 'issuer_mismatch' };
  if (typeof jwksUri !== 'string') return { ok: false, problem: 'no_jwks_uri' };
  // A provider elsewhere has no keys on this machine or its network.
  const isNear = () => !mayReach(new URL(issuer).hostname, new URL(jwksUri).hostname);
  if (urlProblem(jwksUri) !== undefined || isNear()) {
    return { ok: false, problem: 'bad_jwks_uri' };
  }
  return { ok: true, jwksUri };
}
