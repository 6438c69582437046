import { displayText } from '../protocol/index.ts';
import { findDefects } from './checks/index.ts';
import { credentialHeader, credentialTypes, wantedMembers } from './credentials.ts';
import { decide } from './decide/index.ts';

import { readEndpoints } from './endpoints.ts';
import { findBlock } from './find-block.ts';
import { readHints } from './hints.ts';
import { readIdentityTypes } from './identity-types.ts';
import type { Documents, Recognition } from './model.ts';
import { claimGrant, grantTypes, readOffers, roleOf } from './offers.ts';
import { memberOf, namesOf, textOf } from './read.ts';
import { registerMembers } from './register-url.ts';

/**
 * What published documents amount to: whether an agent can register, in which family, and what is wrong
 * in them. Judged by what they say, never by a version; of any JSON, without an exception.
 */
export function recognise(documents: Documents): Recognition {
  const found = findBlock(documents);
  const { server, resource } = found;
  const registers = registerMembers(found);
  const types = readIdentityTypes(found);
  const hints = readHints(documents.skill, documents.at);
  const wanted = wantedMembers(found);
  const endpointsWithout = readEndpoints(found, undefined);
  const offers = readOffers(found, endpointsWithout);
  const decision = decide({ found, registers, types, offers, hints, family: documents.family });
  const scopes = namesOf(memberOf(server, 'scopes_supported'));
  const endpoints = { ...endpointsWithout, register: decision.register };
  const { at } = documents;
  const { chosen } = decision;
  const role = decision.verdict === 'plain_oauth' ? roleOf(offers) : undefined;
  const read = { found, at, registers, chosen, types, endpoints, wanted };
  const { defects, isHonest } = findDefects(documents, read, decision, role);
  return {
    verdict: decision.verdict,
    reason: decision.reason,
    families: decision.families,
    choices: decision.choices,
    foundIn: found.block === undefined ? undefined : found.document,
    issuer: safe(memberOf(server, 'issuer')),
    resource: safe(memberOf(resource, 'resource')) ?? safe(memberOf(server, 'resource')),
    serverResource: safe(memberOf(server, 'resource'), Number.POSITIVE_INFINITY),
    name:
      safe(memberOf(server, 'resource_name'), 80) ?? safe(memberOf(resource, 'resource_name'), 80),
    endpoints,
    identityTypes: types.known,
    statedIdentityTypes: types.stated,
    assertionTypes: types.assertionTypes,
    emailForm: types.emailForm,
    claimGrantType: safe(claimGrant(found)),
    grantTypes: grantTypes(server),
    scopes: scopes.length > 0 ? scopes : namesOf(memberOf(resource, 'scopes_supported')),
    credentialTypes: credentialTypes(found),
    credentialHeader: credentialHeader(found),
    wantedMembers: wanted,
    evidence: decision.evidence,
    defects,
    isHonest,
    role,
    offers,
    hints,
  };
}

function safe(value: unknown, length = 300): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : displayText(text, length) || undefined;
}
