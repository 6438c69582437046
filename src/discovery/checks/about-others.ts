import { defect, type Read } from '../defect.ts';
import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';
import { memberOf, shown, textOf } from '../read.ts';
import { isSamePlace, webUrl } from '../url.ts';

/** URLs of the block that are those of something else, or of somebody else. */
export function aboutOthers({ found, at, endpoints }: Read): readonly Defect[] {
  const list: Defect[] = [];
  const where = (member: string) => [found.document, inBlock(found, member)] as const;
  const older = textOf(memberOf(found.block ?? {}, 'revocation_uri'));
  if (older !== undefined && isSamePlace(older, endpoints.revocation)) {
    list.push(
      defect(
        'events-url-is-revocation',
        'warning',
        where('revocation_uri'),
        'revocation_uri is where providers report what ended, but this is where tokens are revoked (RFC 7009).',
        'Name it in revocation_endpoint beside agent_auth, and in events_endpoint the URL that takes events.',
      ),
    );
  }
  const skill = webUrl(endpoints.skill);
  const homes = [
    at,
    textOf(memberOf(found.server, 'issuer')),
    textOf(memberOf(found.resource, 'resource')),
    endpoints.register,
  ].flatMap((url) => webUrl(url) ?? []);
  if (skill !== undefined && homes.length > 0 && !homes.some((home) => areOfOne(home, skill))) {
    list.push(
      defect(
        'skill-of-another-host',
        'warning',
        where('skill'),
        `The skill file ${shown(skill.href)} is of somebody else.`,
        'Name a skill file of your own, which says how agents register here.',
      ),
    );
  }
  return list;
}

/** Hosts whose last two labels are the same are taken for one party's: this only warns. */
function areOfOne(one: URL, other: URL): boolean {
  const party = ({ hostname }: URL) => hostname.split('.').slice(-2).join('.');
  return party(one) === party(other);
}
