import type { Transaction } from '../../mock/store/database.ts';
import { readSetting, writeSetting } from '../../mock/store/settings.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { IssuerKeys } from './issuer-keys.ts';

interface TrustListOptions {
  /** Trusted from the start on, and after each reset. */
  readonly configured: readonly TrustedIssuer[];
  /** What the store held under {@link TRUST_SETTING} when the current request began. */
  readonly stored: () => string | undefined;
  readonly keys: IssuerKeys;
}

/** An added provider as it lies in the store. */
interface AddedTrust {
  /** Counts up, so that a provider that is added again, with other keys, is seen to be new. */
  readonly changes: number;
  /** The latest last. */
  readonly entries: readonly TrustedIssuer[];
}

/** The name among the service's settings, which each request begins by reading. */
export const TRUST_SETTING = 'trust';

/** Beyond it the oldest entry is dropped: a suite that uses another port each time must not fill the store. */
const MOST_ADDED = 50;

/** The providers that are trusted now: the configured ones, and those that a control added. */
export class TrustList {
  readonly #options: TrustListOptions;
  #text: string | undefined;
  #added: readonly TrustedIssuer[] = [];
  #entries: readonly TrustedIssuer[];

  constructor(options: TrustListOptions) {
    this.#options = options;
    this.#entries = options.configured;
  }

  list(): readonly TrustedIssuer[] {
    const text = this.#options.stored();
    if (text !== this.#text) this.#takeUp(text);
    return this.#entries;
  }

  /** Compared character for character (RFC 3986 §6.2.1); of a token it may be anything. */
  find(issuer: unknown): TrustedIssuer | undefined {
    return this.list().find((entry) => entry.issuer === issuer);
  }

  /** Adds an entry until the next {@link clear}, in the place of one of the same issuer. */
  async add(tx: Transaction, entry: TrustedIssuer): Promise<void> {
    const { changes, entries } = await readAdded(tx);
    const others = entries.filter(({ issuer }) => issuer !== entry.issuer);
    await writeAdded(tx, {
      changes: changes + 1,
      entries: [...others, entry].slice(-MOST_ADDED),
    });
  }

  /** Leaves the configured entries alone. */
  async clear(tx: Transaction): Promise<void> {
    const { changes, entries } = await readAdded(tx);
    if (entries.length > 0) await writeAdded(tx, { changes: changes + 1, entries: [] });
  }

  #takeUp(text: string | undefined): void {
    const { configured, keys } = this.#options;
    const { entries } = parse(text);
    // A provider that is added again may be another one on the same port.
    for (const entry of [...this.#added, ...entries]) keys.forget(entry);
    this.#text = text;
    this.#added = entries;
    const isAdded = (issuer: string) => entries.some((entry) => entry.issuer === issuer);
    this.#entries = [...configured.filter(({ issuer }) => !isAdded(issuer)), ...entries];
  }
}

async function readAdded(tx: Transaction): Promise<AddedTrust> {
  return parse(await readSetting(tx, 'service', TRUST_SETTING));
}

async function writeAdded(tx: Transaction, added: AddedTrust): Promise<void> {
  await writeSetting(tx, 'service', TRUST_SETTING, JSON.stringify(added));
}

function parse(text: string | undefined): AddedTrust {
  return text === undefined ? { changes: 0, entries: [] } : (JSON.parse(text) as AddedTrust);
}
