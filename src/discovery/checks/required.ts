import {
  CLAIM_GRANT_ENDINGS,
  ID_JAG_TOKEN_TYPE,
  isJsonObject,
  type JsonObject,
  JWT_BEARER_GRANT,
  REVOKED_EVENT_ENDING,
} from '../../protocol/index.ts';
import type { Decision } from '../decide/decision.ts';
import type { Report } from '../defect.ts';
import type { DocumentName } from '../model.ts';
import { type Block, type Judged, listOf, textOf } from './judged.ts';

/** How `example` of a rule is spelled where nothing of the service is known. */
const URL_OF = (what: string) => `the URL ${what}`;

/**
 * What the specification requires of the family that it describes; the documents of an older one have other
 * members. Where nobody can register, that is said by itself.
 */
export function checkRequired(
  { all, blocks }: Judged,
  { families, verdict }: Pick<Decision, 'families' | 'verdict'>,
  report: Report,
): void {
  if ((verdict !== 'usable' && verdict !== 'choice') || families[0] === 'first') return;
  const server = all.find(({ name }) => name === 'server');
  const block = blocks.find(({ document }) => document === server);
  if (server === undefined || block === undefined) return;
  checkBlockMembers(block, report);
  if (server.kind !== 'server') return;
  const missing = missingIn(server.json, server.name, [], report);
  if (textOf(server.json, 'revocation_endpoint') === undefined) {
    missing('revocation-endpoint-missing', 'revocation_endpoint', URL_OF('that revokes tokens'));
  }
  const grants = listOf(server.json, 'grant_types_supported');
  if (!grants.includes(JWT_BEARER_GRANT)) {
    missing('grants-unfit', 'grant_types_supported', `["${JWT_BEARER_GRANT}"]`);
  }
  const hasClaim = textOf(block.members, 'claim_endpoint') !== undefined;
  if (
    hasClaim &&
    families[0] === 'flat' &&
    !grants.some((grant) => isClaimGrant(grant) || grant === block.members['claim_grant_type'])
  ) {
    missing(
      'claim-grant-missing',
      'grant_types_supported',
      `[…, "urn:…${CLAIM_GRANT_ENDINGS[0]}"]`,
    );
  }
}

function checkBlockMembers({ document, members, path }: Block, report: Report): void {
  const missing = missingIn(members, document.name, path, report);
  if (textOf(members, 'skill') === undefined) {
    missing('skill-missing', 'skill', URL_OF('of auth.md'));
  }
  if (textOf(members, 'claim_endpoint') === undefined) {
    missing('claim-endpoint-missing', 'claim_endpoint', URL_OF('that takes claims'));
  }
  const takesIdJags = listOf(members, 'identity_types_supported').includes('identity_assertion');
  const ofAssertion = members['identity_assertion'];
  const types = isJsonObject(ofAssertion) ? listOf(ofAssertion, 'assertion_types_supported') : [];
  if (takesIdJags && !types.includes(ID_JAG_TOKEN_TYPE)) {
    const right = `{ "assertion_types_supported": ["${ID_JAG_TOKEN_TYPE}"] }`;
    missing('assertion-types-missing', 'identity_assertion', right);
  }
  if (takesIdJags && textOf(members, 'events_endpoint') === undefined) {
    missing('events-endpoint-missing', 'events_endpoint', URL_OF('that takes events'));
  }
  const takesEvents = takesIdJags || members['events_endpoint'] !== undefined;
  if (takesEvents && !listOf(members, 'events_supported').some(isRevocation)) {
    missing('events-missing', 'events_supported', `["https://…${REVOKED_EVENT_ENDING}"]`);
  }
}

type RequiredRule = Parameters<Report>[0]['rule'];

function missingIn(
  json: JsonObject,
  document: DocumentName,
  path: readonly (string | number)[],
  report: Report,
) {
  return (rule: RequiredRule, member: string, right: string) =>
    report({
      rule,
      document,
      path: [...path, member],
      message: Object.hasOwn(json, member)
        ? `${member} is not what the specification asks for.`
        : `There is no ${member}.`,
      instead: `"${member}": ${right}`,
    });
}

function isClaimGrant(grant: unknown): boolean {
  return typeof grant === 'string' && CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending));
}

function isRevocation(event: unknown): boolean {
  return typeof event === 'string' && event.endsWith(REVOKED_EVENT_ENDING);
}
