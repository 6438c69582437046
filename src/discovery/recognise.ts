import { displayText } from '../protocol/index.ts';
import { credentialHeader, credentialTypes } from './credentials.ts';
import type { Documents } from './model.ts';
import { memberOf, namesOf, textOf } from './read.ts';
import { readDocuments } from './read-documents.ts';
import type { Recognition } from './recognition.ts';
import { findDefects } from './rules/find-defects.ts';

/**
 * What published documents amount to: whether an agent can register, in which family, and what is wrong
 * in them. Judged by what they say, never by a version; of any JSON, without an exception.
 */
export function recognise(documents: Documents): Recognition {
  const read = readDocuments(documents);
  const { server, resource, types, block } = read;
  const scopes = namesOf(memberOf(server, 'scopes_supported'));
  // Most of the work, and asked for by few: the rules are held against the documents where somebody wants to know.
  let judged: ReturnType<typeof findDefects> | undefined;
  const rules = () => {
    judged ??= findDefects(read);
    return judged;
  };
  return {
    verdict: read.verdict,
    reason: read.reason,
    families: read.families,
    choices: read.choices,
    foundIn: block === undefined ? undefined : read.document,
    issuer: safe(memberOf(server, 'issuer')),
    serverResource: safe(memberOf(server, 'resource'), Number.POSITIVE_INFINITY),
    name:
      safe(memberOf(server, 'resource_name'), 80) ?? safe(memberOf(resource, 'resource_name'), 80),
    endpoints: read.endpoints,
    identityTypes: types.known,
    assertionTypes: types.assertionTypes,
    emailForm: types.emailForm,
    claimGrantType: safe(read.claimGrant),
    scopes: scopes.length > 0 ? scopes : namesOf(memberOf(resource, 'scopes_supported')),
    credentialTypes: credentialTypes(read),
    credentialHeader: credentialHeader(read),
    wantedMembers: read.wanted,
    evidence: read.evidence,
    get defects() {
      return rules().defects;
    },
    get held() {
      return rules().held;
    },
    get isHonest() {
      return rules().isHonest;
    },
    role: read.role,
    offers: read.offers,
    hints: read.hints,
  };
}

function safe(value: unknown, length = 300): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : displayText(text, length) || undefined;
}
