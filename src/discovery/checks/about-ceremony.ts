import { JWT_BEARER_GRANT } from '../../protocol/index.ts';
import { defect, type Read } from '../defect.ts';
import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';
import { claimGrant, grantTypes } from '../offers.ts';
import { memberOf } from '../read.ts';

export function aboutCeremony({ found, types, endpoints, chosen }: Read): readonly Defect[] {
  const list: Defect[] = [];
  if (chosen === undefined) return list;
  const needsClaim = types.known.some((type) => type !== 'identity_assertion');
  if (needsClaim && endpoints.claim === undefined) {
    list.push(
      defect(
        'claim-endpoint-missing',
        'warning',
        [found.document, inBlock(found, 'claim_endpoint')],
        'Nothing says where a claim is started; an answer may still name it.',
        'Name the URL in claim_endpoint.',
      ),
    );
  }
  const grants = grantTypes(found.server);
  const fits = grants.includes(JWT_BEARER_GRANT) || claimGrant(found) !== undefined;
  if (found.isWhole && endpoints.token === undefined) {
    list.push(
      defect(
        'token-endpoint-missing',
        fits ? 'error' : 'warning',
        ['server', 'token_endpoint'],
        fits
          ? 'Grants are listed, but no token endpoint to use them at.'
          : 'There is no token endpoint: the registration itself has to give a credential.',
        'Name the URL where an assertion is exchanged (RFC 8414 §2).',
      ),
    );
  }
  if (
    endpoints.token !== undefined &&
    memberOf(found.server, 'grant_types_supported') !== undefined &&
    !fits
  ) {
    list.push(
      defect(
        'grants-unfit',
        'warning',
        ['server', 'grant_types_supported'],
        'No grant is listed by which a registered agent gets a token.',
        `List ${JWT_BEARER_GRANT}, and a claim grant where agents poll.`,
      ),
    );
  }
  return list;
}
