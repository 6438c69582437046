import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { has, isText, member } from '../../../engine/rows.ts';
import { judgedCrossApp, listsProfile, NOT_ASKED } from '../../cross-app/cross-app.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { serverDocument } from '../../steps/metadata-documents.ts';
import { isSecureUrl } from '../../steps/urls.ts';

export const crossAppMetadata = serviceScenario({
  id: 'cross-app-metadata',
  title: 'The metadata says that ID-JAGs are redeemed',
  safe: true,
  checks: {
    profile: '`authorization_grant_profiles_supported` has the ID-JAG profile.',
    grant: `Where the profile is listed, \`grant_types_supported\` has ${JWT_BEARER_GRANT}.`,
    'no-issuers': '`authorization_grant_profiles_supported` names no issuer.',
    'token-endpoint': '`token_endpoint` is an https URL, or http on loopback.',
    'authorization-endpoint':
      '`authorization_endpoint` is there: MCP clients refuse metadata without it.',
    'response-types':
      '`response_types_supported` is a list: MCP clients refuse metadata without it.',
    'challenge-methods':
      '`code_challenge_methods_supported` has S256: MCP clients stop where it is absent.',
  },
  async run(judge, world) {
    if (judgedCrossApp(world.facts) === undefined) throw new NotApplicable(NOT_ASKED);
    const isProfiled = listsProfile(world.facts);
    const { answer } = await serverDocument(world);
    const namesUrl = (list: unknown) => Array.isArray(list) && list.some(isUrl);
    judge.table(answer, {
      profile: member('authorization_grant_profiles_supported', () => isProfiled),
      grant: isProfiled ? member('grant_types_supported', has(JWT_BEARER_GRANT)) : undefined,
      'no-issuers': member('authorization_grant_profiles_supported', (list) => !namesUrl(list)),
      'token-endpoint': member('token_endpoint', isSecureUrl),
      'authorization-endpoint': member('authorization_endpoint', isText),
      'response-types': member('response_types_supported', (list) => Array.isArray(list)),
      'challenge-methods': member('code_challenge_methods_supported', has('S256')),
    });
    judge.skip('grant', 'The profile is not listed.');
  },
});

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value);
}
