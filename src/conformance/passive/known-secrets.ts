import type { Explained } from '../../traffic/index.ts';
import {
  eachMember,
  fingerprintOf,
  fingerprintsIn,
  isMembers,
  isSuccess,
  membersOf,
  originOf,
} from './read-exchange.ts';
import { RecentMap } from './recent-map.ts';

export type SecretKind =
  | 'access_token'
  | 'identity_assertion'
  | 'id_jag'
  | 'id_token'
  | 'refresh_token'
  | 'claim_token'
  | 'user_code';

interface KnownSecret {
  /** One text may be several things: a service may give an API key as assertion and token. */
  readonly kinds: ReadonlySet<SecretKind>;
  /** Of who gave it out; undefined where that was not seen. */
  readonly issuedBy: string | undefined;
}

/** Members of answers by which the standards and the specification call them. */
const GIVEN: Readonly<Record<string, SecretKind>> = {
  access_token: 'access_token',
  identity_assertion: 'identity_assertion',
  id_token: 'id_token',
  refresh_token: 'refresh_token',
  claim_token: 'claim_token',
  user_code: 'user_code',
};

/** Which fingerprint is what kind of a secret, as answers said, and which of them are in links that were handed out. */
export class KnownSecrets {
  readonly #known = new RecentMap<string, KnownSecret>(20_000);
  readonly #inLinks = new RecentMap<string, true>(20_000);

  learn({ exchange, step }: Explained): void {
    const { request, response, url } = exchange;
    for (const [name, value] of eachMember(request.body)) {
      const fingerprint = fingerprintOf(value);
      if (fingerprint === undefined) continue;
      if (name === 'claim_token') this.#add(fingerprint, 'claim_token');
      else if (isIdJag(value)) this.#add(fingerprint, 'id_jag');
    }
    const issuedBy = originOf(url);
    for (const [name, value] of eachMember(response.body)) {
      const fingerprint = fingerprintOf(value);
      if (fingerprint === undefined) {
        if (typeof value === 'string') this.#addLinks(value);
        continue;
      }
      const kind =
        isIdJag(value) || (step === 'mint' && name === 'access_token') ? 'id_jag' : GIVEN[name];
      if (kind !== undefined && isGiven(kind, isSuccess(exchange))) {
        this.#add(fingerprint, kind, issuedBy);
      }
    }
    if (typeof response.body === 'string') this.#addLinks(response.body);
    this.#addLinks(response.headers['location'] ?? '');
  }

  /** Whether it was seen as one of these and as nothing else. */
  isOnly(fingerprint: string, ...kinds: readonly SecretKind[]): boolean {
    const known = this.#known.get(fingerprint);
    return known !== undefined && [...known.kinds].every((kind) => kinds.includes(kind));
  }

  issuerOf(fingerprint: string): string | undefined {
    return this.#known.get(fingerprint)?.issuedBy;
  }

  /** Whether a link with it in was handed out: to follow that is no mistake. */
  isInLink(fingerprint: string): boolean {
    return this.#inLinks.has(fingerprint);
  }

  #add(fingerprint: string, kind: SecretKind, issuedBy?: string): void {
    const { kinds = [], issuedBy: before } = this.#known.get(fingerprint) ?? {};
    this.#known.set(fingerprint, {
      kinds: new Set([...kinds, kind]),
      issuedBy: before ?? issuedBy,
    });
  }

  #addLinks(text: string): void {
    for (const fingerprint of fingerprintsIn(text)) this.#inLinks.set(fingerprint, true);
  }
}

/** A claim comes with a refusal, too: `interaction_required`. */
function isGiven(kind: SecretKind, isOk: boolean): boolean {
  return isOk || kind === 'claim_token' || kind === 'user_code';
}

function isIdJag(value: unknown): boolean {
  if (!isMembers(value)) return false;
  const typ = membersOf(value['header'])['typ'];
  return typeof typ === 'string' && /^(?:application\/)?oauth-id-jag\+jwt$/i.test(typ);
}
