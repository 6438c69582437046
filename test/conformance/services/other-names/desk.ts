import type { KeySets, Sessions } from '../support.ts';
import type { Mint } from './mint.ts';
import type { Registry } from './registry.ts';

/** All that the endpoints share. */
export interface Desk {
  readonly origin: string;
  /** With a path: `<origin>/auth`. */
  readonly issuer: string;
  readonly resource: string;
  readonly now: () => number;
  readonly registry: Registry;
  readonly mint: Mint;
  readonly keys: KeySets;
  readonly sessions: Sessions;
  /** `[iss, jti]` of what came in signed and was acted upon. */
  readonly used: Set<string>;
}

export const READ = 'notes.read';
export const WRITE = 'notes.write';
export const ALL_SCOPES: readonly string[] = [READ, WRITE];
