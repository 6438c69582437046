import { CLAIM_GRANT_ENDINGS } from '../../protocol/index.ts';
import { type Check, listOf, textOf } from './judged.ts';

/** What RFC 8414 §2 wants in the metadata of every server. */
export const checkServerMembers: Check = ({ servers, blocks }, report) => {
  for (const document of servers) {
    const { json, name } = document;
    if (!Array.isArray(json['response_types_supported'])) {
      report({
        rule: 'response-types-missing',
        document: name,
        path: ['response_types_supported'],
        message: 'It has no list of response types.',
        instead: '"response_types_supported": []',
      });
    }
    const hasBlock = blocks.some((block) => block.document === document);
    if (!hasBlock && (json['agent_auth'] ?? undefined) === undefined) {
      if (blocks.length > 0) continue;
      report({
        rule: 'agent-auth-missing',
        document: name,
        path: ['agent_auth'],
        message: 'It has no agent_auth block: agents cannot see that they may register.',
        instead:
          '"agent_auth": { "skill": …, "identity_endpoint": …, "identity_types_supported": […] }',
      });
    }
  }
  for (const { document, members, path } of blocks) {
    const grants = listOf(document.json, 'grant_types_supported').filter(
      (grant) => typeof grant === 'string',
    );
    const claimGrant =
      textOf(members, 'claim_grant_type') ??
      grants.find((grant) => CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending)));
    const hasClaim = CLAIM_NAMES.some((claimName) => typeof members[claimName] === 'string');
    if (claimGrant !== undefined && !hasClaim) {
      report({
        rule: 'claim-grant-without-claim-endpoint',
        document: document.name,
        path,
        message: 'A claim grant is listed, but nothing says where a claim is started.',
        instead: '"claim_endpoint": the URL that takes claims',
      });
    }
  }
};

/** The right one first. */
export const CLAIM_NAMES = ['claim_endpoint', 'claim_uri'] as const;
