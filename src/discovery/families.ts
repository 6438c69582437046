import { JWT_BEARER_GRANT } from '../protocol/index.ts';
import { shownPath } from './document.ts';
import { type Found, inBlock } from './found.ts';
import type { IdentityTypes } from './identity-types.ts';
import { type DocumentName, type Evidence, FAMILIES, type FamilyId } from './model.ts';
import { memberOf, namesOf, shown, textAt } from './read.ts';
import { credentialLists } from './refusals.ts';
import type { RegisterMember } from './registers.ts';

/** What was read before the families are weighed. */
export interface Clues extends Found {
  readonly register: RegisterMember;
  readonly types: IdentityTypes;
  readonly grants: readonly string[];
  readonly claimGrant: string | undefined;
}

/** How much a member speaks for each family, in the order of {@link FAMILIES}: what it excludes counts against it. */
type Weights = readonly [flat: number, nested: number, first: number];

type Signal = readonly [
  document: DocumentName,
  member: string,
  value: string,
  shows: string,
  weights: Weights,
];

export interface Weighed {
  /** The families, the most likely first. */
  readonly families: readonly FamilyId[];
  /** Two families that register differently, with as much to be said for either. */
  readonly isEven: boolean;
  readonly evidence: readonly Evidence[];
  /** What sets the first family apart from the others the most. */
  readonly deciding: Evidence | undefined;
}

/**
 * Which families the documents speak for. `flat` and `nested` publish the same block, but for the claim
 * grant, and are asked alike: both stay candidates, and the first answer decides.
 */
export function weighFamilies(clues: Clues): Weighed {
  const signals = SIGNALS.flatMap((signal) => {
    const found = signal(clues);
    return found === undefined ? [] : [found];
  });
  const weightOf = ([, , , , weights]: Signal, family: FamilyId | undefined) =>
    family === undefined ? 0 : (weights[FAMILIES.indexOf(family)] ?? 0);
  const sum = (family: FamilyId) =>
    signals.reduce((total, signal) => total + weightOf(signal, family), 0);
  const isSilent = signals.every(([, , , , weights]) => weights.every((weight) => weight <= 0));
  const families = FAMILIES.filter((family) => isSilent || sum(family) > 0).sort(
    (a, b) => sum(b) - sum(a),
  );
  const evidence = signals.map((signal): Evidence => {
    const [document, member, value, shows] = signal;
    const speaksFor = FAMILIES.filter((family) => weightOf(signal, family) > 0);
    return { document, member, value, shows, families: speaksFor };
  });
  const [top = 'flat', next] = families;
  const leads = signals.map((signal) => weightOf(signal, top) - weightOf(signal, next));
  const best = Math.max(0, ...leads);
  return {
    families,
    isEven:
      families.includes('first') &&
      families.length > 1 &&
      sum('first') === Math.max(sum('flat'), sum('nested')),
    evidence,
    deciding: best > 0 ? evidence[leads.indexOf(best)] : undefined,
  };
}

const SIGNALS: readonly ((clues: Clues) => Signal | undefined)[] = [
  ({ document, register: { age, member, value } }) => [
    document,
    member,
    shown(value),
    ...AGES[age],
  ],
  ({ server, block = {}, isWhole, register }) => {
    const token = textAt(server, 'token_endpoint') ?? textAt(block, 'token_endpoint');
    if (token !== undefined || !isWhole) return undefined;
    const shows = 'no exchange: the credential comes from the registration';
    // It outweighs the newer name, which older services took over too.
    return ['server', 'token_endpoint', 'missing', shows, [-1, -1, register.age === 'new' ? 6 : 3]];
  },
  (clues) => {
    const { document, block = {}, grants, claimGrant } = clues;
    if (claimGrant !== undefined) {
      const shows = 'a claim grant: the agent polls while the user types the code';
      return textAt(block, 'claim_grant_type') === undefined
        ? ['server', 'grant_types_supported', shown(claimGrant), shows, [7, 0, 0]]
        : [document, inBlock(clues, 'claim_grant_type'), shown(claimGrant), shows, [7, 0, 0]];
    }
    if (!grants.includes(JWT_BEARER_GRANT)) return undefined;
    // There is a ceremony to speak of: a place for claims, or a user's address.
    const places = ['claim_endpoint', 'claim_uri', 'claims_url'];
    const asksUsers =
      clues.types.emailForm !== undefined ||
      places.some((name) => textAt(block, name) !== undefined);
    const shows = asksUsers
      ? 'nothing to poll: the agent hands in a code that the user reads to it'
      : 'no claim grant: nothing to poll';
    return ['server', 'grant_types_supported', 'jwt-bearer, no claim grant', shows, [1, 2, 1]];
  },
  (clues) => {
    const { document, types } = clues;
    const list = inBlock(clues, types.member ?? 'identity_types_supported');
    if (types.stated.includes('service_auth')) {
      return [document, list, 'service_auth', 'a type since version 0.6', [1, 1, -3]];
    }
    if (types.emailForm === undefined || types.emailForm === 'service_auth') return undefined;
    const member =
      types.emailForm === 'verified_email_type'
        ? list
        : inBlock(clues, 'identity_assertion.assertion_types_supported');
    const shows = 'the e-mail address as versions before 0.6 register it';
    return [document, member, 'verified_email', shows, [1, -4, 4]];
  },
  (clues) => {
    const { block = {}, document, register } = clues;
    const [first] = credentialLists(block);
    if (first === undefined) return undefined;
    const member = inBlock(clues, shownPath(first.path));
    const shows = 'credential types, a member of version 0.1';
    // Beside a new name they are there for the scanners that look for them.
    const weight = register.age === 'new' ? 1 : 2;
    return [document, member, shown(first.names), shows, [0, 0, weight]];
  },
  (clues) => {
    const [value] = namesOf(memberOf(clues.block ?? {}, 'complete_uri'));
    if (value === undefined) return undefined;
    const shows = 'a place where the agent hands in a code';
    return [clues.document, inBlock(clues, 'complete_uri'), value, shows, [0, 1, 2]];
  },
];

const AGES: Readonly<Record<RegisterMember['age'], readonly [shows: string, Weights]>> = {
  new: ['the name since version 0.2', [2, 2, 0]],
  old: ['the name of version 0.1', [0, 0, 3]],
  unknown: ['a name of no version', [0, 0, 0]],
};
