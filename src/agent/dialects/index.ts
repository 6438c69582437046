import { recogniseWriter } from '../../discovery/index.ts';
import type { Answer } from '../http/answer.ts';
import type { DialectId } from '../model.ts';
import type { Dialect } from './dialect.ts';
import { first } from './first/index.ts';
import { flat } from './flat/index.ts';
import { nested } from './nested/index.ts';
import { type OwnMembers, withOwnMembers } from './parts/own-members.ts';

/** Every dialect that the agent speaks. */
const DIALECTS: Readonly<Record<DialectId, Dialect>> = { flat, nested, first };

/** The dialect that a registration is spoken to in, with the members that its service demands of every request. */
export function dialectOf({ dialect, members }: Spoken): Dialect {
  return withOwnMembers(DIALECTS[dialect], members);
}

interface Spoken {
  readonly dialect: DialectId;
  readonly members?: OwnMembers | undefined;
}

/**
 * The dialect that an answer is written in, by its members: of several, the one by which the user can act on it,
 * else one of those expected; the first of them where no family is shown.
 */
export function writtenIn(
  { body }: Pick<Answer, 'body'>,
  expected: readonly [DialectId, ...DialectId[]],
): Dialect {
  const { families: shown, direction } = recogniseWriter(body.ok ? body.json : {});
  const fit = direction && DIALECT_OF_DIRECTION[direction];
  const known = expected.find((id) => shown.includes(id)) ?? shown[0] ?? expected[0];
  return dialectOf({ dialect: fit !== undefined && shown.includes(fit) ? fit : known });
}

/** Whose ceremony it is, in an answer that mixes families. */
const DIALECT_OF_DIRECTION = {
  type_there: 'flat',
  read_back_page: 'nested',
  read_back_mailbox: 'first',
} as const satisfies Record<
  NonNullable<ReturnType<typeof recogniseWriter>['direction']>,
  DialectId
>;

export type {
  ClaimEvidence,
  Claimer,
  ClaimGrant,
  ClaimRequest,
  ClaimStart,
  Dialect,
  IdentityProof,
  RefreshGrant,
  RegistrationGrant,
  ServiceDraft,
  TokenGrant,
} from './dialect.ts';
