import { CEREMONY_QUIRKS } from './ceremonies.ts';
import { CLAIM_BODY_QUIRKS } from './claim-bodies.ts';
import { CREDENTIAL_QUIRKS } from './credentials.ts';
import { DEMAND_QUIRKS } from './demands.ts';
import { ERROR_QUIRKS } from './errors.ts';
import { METADATA_QUIRKS } from './metadata.ts';
import type { Quirk } from './quirk.ts';
import { STATUS_QUIRKS } from './statuses.ts';
import { TIME_QUIRKS } from './times.ts';

/** Every quirk by its name, in the order in which they are composed. */
export const QUIRKS = {
  ...CREDENTIAL_QUIRKS,
  ...CEREMONY_QUIRKS,
  ...CLAIM_BODY_QUIRKS,
  ...DEMAND_QUIRKS,
  ...METADATA_QUIRKS,
  ...STATUS_QUIRKS,
  ...TIME_QUIRKS,
  ...ERROR_QUIRKS,
} as const satisfies Readonly<Record<string, Quirk>>;

/** The name of a way in which published services differ from their dialect. */
export type QuirkName = keyof typeof QUIRKS;

/** The names of all quirks. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export type { Quirk };
