import { CLAIM_GRANT_ENDINGS } from '../protocol/index.ts';
import { wantedMembers } from './credentials.ts';
import { type Decision, decide, type Question } from './decide.ts';
import { readEndpoints, readOffers, roleOf } from './endpoints.ts';
import { findBlock } from './found.ts';
import { readHints } from './hints.ts';
import { readIdentityTypes } from './identity-types.ts';
import type { Documents, Endpoints, Role } from './model.ts';
import { memberOf, namesOf, textAt } from './read.ts';
import { registerMembers } from './registers.ts';

/** What documents say, and what is to be thought of it: the rules look for what is wrong in it. */
export interface Read extends Question, Decision {
  readonly endpoints: Endpoints;
  /** Members of its own that the service wants in a registration. */
  readonly wanted: readonly string[];
  readonly role: Role | undefined;
}

export function readDocuments(documents: Documents): Read {
  const found = findBlock(documents);
  const { block = {}, server } = found;
  const grants = namesOf(memberOf(server, 'grant_types_supported'), 200);
  const endpoints = readEndpoints(found);
  const offers = readOffers(found, endpoints, grants);
  const question: Question = {
    ...found,
    registers: registerMembers(found),
    types: readIdentityTypes(found),
    grants,
    // With any vendor's label (wire contract §1).
    claimGrant:
      textAt(block, 'claim_grant_type') ??
      grants.find((grant) => CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending))),
    offers,
    hints: readHints(documents.skill, documents.at),
    family: documents.family,
  };
  const decision = decide(question);
  return {
    ...question,
    ...decision,
    endpoints: { ...endpoints, register: decision.chosen?.judgement.url },
    wanted: wantedMembers(found),
    role:
      decision.verdict === 'plain_oauth' ? roleOf(question) : found.client && ('client' as const),
  };
}
