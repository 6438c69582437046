import { JWT_BEARER_GRANT } from '../protocol/index.ts';
import { type Found, inBlock } from './find-block.ts';
import type { IdentityTypes } from './identity-types.ts';
import { type Evidence, FAMILIES, type FamilyId } from './model.ts';
import { claimGrant, grantTypes } from './offers.ts';
import { memberOf, namesOf, shown, textOf } from './read.ts';
import { credentialLists } from './refusals.ts';
import type { NameAge } from './register-url.ts';

/** How much a member speaks for each family: what it excludes counts against it. */
type Weights = Readonly<Partial<Record<FamilyId, number>>>;

interface Signal extends Omit<Evidence, 'families'> {
  readonly weights: Weights;
}

/** What was read before the families are weighed. */
export interface Clues {
  readonly found: Found;
  readonly register: { readonly member: string; readonly value: unknown; readonly age: NameAge };
  readonly types: IdentityTypes;
}

export interface Weighed {
  /** Most likely first. */
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
  const signals = SIGNALS.flatMap((signal) => signal(clues) ?? []);
  const sum = (family: FamilyId) =>
    signals.reduce((total, { weights }) => total + weightOf(weights, family), 0);
  const isSilent = signals.every(({ weights }) =>
    FAMILIES.every((family) => weightOf(weights, family) <= 0),
  );
  const families = FAMILIES.filter((family) => isSilent || sum(family) > 0).sort(
    (a, b) => sum(b) - sum(a),
  );
  const others = Math.max(sum('flat'), sum('nested'));
  const evidence = signals.map(({ weights, ...rest }) => ({
    ...rest,
    families: FAMILIES.filter((family) => weightOf(weights, family) > 0),
  }));
  const [top = 'flat', next] = families;
  const lead = ({ weights }: Signal) =>
    weightOf(weights, top) - (next === undefined ? 0 : weightOf(weights, next));
  const best = signals.reduce((most, signal) => Math.max(most, lead(signal)), 0);
  const deciding = evidence[signals.findIndex((signal) => best > 0 && lead(signal) === best)];
  return {
    families,
    isEven: families.includes('first') && families.length > 1 && sum('first') === others,
    evidence,
    deciding,
  };
}

/** What says nothing of a family weighs nothing. */
function weightOf(weights: Weights, family: FamilyId): number {
  return weights[family] ?? 0;
}

type Reader = (clues: Clues) => Signal | undefined;

const byName: Reader = ({ found, register }) => {
  const base = { document: found.document, member: register.member, value: shown(register.value) };
  if (register.age === 'new') {
    return {
      ...base,
      shows: 'the name since version 0.2',
      weights: { flat: 2, nested: 2, first: 0 },
    };
  }
  if (register.age === 'old') {
    return { ...base, shows: 'the name of version 0.1', weights: { flat: 0, nested: 0, first: 3 } };
  }
  return { ...base, shows: 'a name of no version', weights: { flat: 0, nested: 0, first: 0 } };
};

const byTokenEndpoint: Reader = ({ found, register }) => {
  const token =
    textOf(memberOf(found.server, 'token_endpoint')) ??
    textOf(memberOf(found.block ?? {}, 'token_endpoint'));
  if (token !== undefined || !found.isWhole) return undefined;
  return {
    document: 'server',
    member: 'token_endpoint',
    value: 'missing',
    shows: 'no exchange: the credential comes from the registration',
    // It outweighs the newer name, which older services took over too.
    weights: { flat: -1, nested: -1, first: register.age === 'new' ? 6 : 3 },
  };
};

const byGrants: Reader = ({ found, types }) => {
  const claim = claimGrant(found);
  if (claim !== undefined) {
    const own = textOf(memberOf(found.block ?? {}, 'claim_grant_type'));
    return {
      document: own === undefined ? 'server' : found.document,
      member: own === undefined ? 'grant_types_supported' : inBlock(found, 'claim_grant_type'),
      value: shown(claim),
      shows: 'a claim grant: the agent polls while the user types the code',
      weights: { flat: 7, nested: 0, first: 0 },
    };
  }
  if (!grantTypes(found.server).includes(JWT_BEARER_GRANT)) return undefined;
  return {
    document: 'server',
    member: 'grant_types_supported',
    value: 'jwt-bearer, no claim grant',
    shows: asksUsers(types, found)
      ? 'nothing to poll: the agent hands in a code that the user reads to it'
      : 'no claim grant: nothing to poll',
    weights: { flat: 1, nested: 2, first: 1 },
  };
};

/** There is a ceremony to speak of: a place for claims, or a user's address. */
function asksUsers(types: IdentityTypes, { block }: Found): boolean {
  const names = ['claim_endpoint', 'claim_uri', 'claims_url'];
  return (
    types.emailForm !== undefined ||
    names.some((name) => textOf(memberOf(block ?? {}, name)) !== undefined)
  );
}

const byEmail: Reader = ({ found, types }) => {
  if (types.emailForm === undefined) return undefined;
  const member = inBlock(found, types.member ?? 'identity_types_supported');
  if (types.stated.includes('service_auth')) {
    return {
      document: found.document,
      member,
      value: 'service_auth',
      shows: 'a type since version 0.6',
      weights: { flat: 1, nested: 1, first: -3 },
    };
  }
  if (types.emailForm === 'service_auth') return undefined;
  return {
    document: found.document,
    member:
      types.emailForm === 'verified_email_type'
        ? member
        : inBlock(found, 'identity_assertion.assertion_types_supported'),
    value: 'verified_email',
    shows: 'the e-mail address as versions before 0.6 register it',
    weights: { flat: 1, nested: -4, first: 4 },
  };
};

const byCredentials: Reader = ({ found, register }) => {
  const [first] = found.block === undefined ? [] : credentialLists(found.block);
  if (first === undefined) return undefined;
  return {
    document: found.document,
    member: inBlock(found, first.member),
    value: shown(first.names),
    shows: 'credential types, a member of version 0.1',
    // Beside a new name they are there for the scanners that look for them.
    weights: { flat: 0, nested: 0, first: register.age === 'new' ? 1 : 2 },
  };
};

const byCompleteUrl: Reader = ({ found }) => {
  const value = namesOf(memberOf(found.block ?? {}, 'complete_uri'))[0];
  if (value === undefined) return undefined;
  return {
    document: found.document,
    member: inBlock(found, 'complete_uri'),
    value,
    shows: 'a place where the agent hands in a code',
    weights: { flat: 0, nested: 1, first: 2 },
  };
};

const SIGNALS: readonly Reader[] = [
  byName,
  byTokenEndpoint,
  byGrants,
  byEmail,
  byCredentials,
  byCompleteUrl,
];
