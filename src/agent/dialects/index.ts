import type { Answer } from '../http/answer.ts';
import type { DialectId } from '../model.ts';
import type { Dialect } from './dialect.ts';
import { flat } from './flat/index.ts';

/** Every dialect that the agent speaks. */
const DIALECTS: Readonly<Partial<Record<DialectId, Dialect>>> = { flat };

/** The dialect that a registration is spoken to in. */
export function dialectOf({ dialect }: { readonly dialect: DialectId }): Dialect {
  return DIALECTS[dialect] ?? flat;
}

/**
 * The dialect that an answer is written in, by its members: one of those expected before any other, and
 * the first of them where no family is shown.
 */
export function writtenIn(
  { body }: Pick<Answer, 'body'>,
  expected: readonly [DialectId, ...DialectId[]],
): Dialect {
  const first = dialectOf({ dialect: expected[0] });
  if (!body.ok) return first;
  const ordered = [
    ...expected.map((dialect) => dialectOf({ dialect })),
    ...Object.values(DIALECTS),
  ];
  return ordered.find((dialect) => dialect.wrote(body.json)) ?? first;
}

export type {
  Claimer,
  ClaimGrant,
  ClaimStart,
  Dialect,
  IdentityProof,
  RefreshGrant,
  RegistrationGrant,
  ServiceDraft,
  TokenGrant,
} from './dialect.ts';
export { decodeService } from './flat/decode-service.ts';
