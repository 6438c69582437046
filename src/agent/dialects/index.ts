import type { DialectId } from '../model.ts';
import type { Dialect } from './dialect.ts';
import { specification } from './specification/index.ts';

/** Every dialect that the agent supports. */
export const DIALECTS = { specification } as const satisfies Record<DialectId, Dialect>;

export type {
  ClaimGrant,
  IdentityProof,
  RegistrationGrant,
  ServiceDraft,
  TokenGrant,
} from './dialect.ts';
