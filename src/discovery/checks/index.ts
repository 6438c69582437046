import type { Decision } from '../decide/decision.ts';
import { type Read, reporter } from '../defect.ts';
import type { Defect, Documents, Role } from '../model.ts';
import { aboutCeremony } from './about-ceremony.ts';
import { aboutIssuer } from './about-issuer.ts';
import { aboutOthers } from './about-others.ts';
import { aboutRegister } from './about-register.ts';
import { aboutTypes } from './about-types.ts';
import { aboutUrls } from './about-urls.ts';
import { checkAuthorizationServers, checkServed } from './authorization-servers.ts';
import { checkBlock, checkLists, checkPlaceholders } from './block.ts';
import { sort } from './judged.ts';
import { checkMembersInPlace, checkNames } from './names.ts';
import { checkPlaces } from './places.ts';
import { checkRequired } from './required.ts';
import { checkEmptyLists, checkPlainUrls, checkResourceMembers } from './resource-members.ts';
import { checkServerMembers } from './server-members.ts';
import { weigh } from './weigh.ts';

const CHECKS = [
  checkPlaces,
  checkAuthorizationServers,
  checkServed,
  checkServerMembers,
  checkResourceMembers,
  checkEmptyLists,
  checkPlainUrls,
  checkBlock,
  checkNames,
  checkMembersInPlace,
  checkLists,
  checkPlaceholders,
];

/** Every rule that the documents break, each thing once, the worst first; and whether they say so themselves. */
export function findDefects(
  documents: Documents,
  read: Read,
  decision: Decision,
  role: Role | undefined,
) {
  const defects: Defect[] = [];
  const report = reporter(defects);
  const judged = sort(documents);
  for (const check of CHECKS) check(judged, report);
  defects.push(...decision.defects, ...aboutUrls(read), ...aboutIssuer(read));
  if (read.found.block !== undefined) {
    defects.push(
      ...aboutRegister(read),
      ...aboutTypes(read),
      ...aboutCeremony(read),
      ...aboutOthers(read),
    );
  }
  checkRequired(judged, decision, report);
  const isOther = ({ rule }: Defect) => role === 'provider' && rule === 'agent-auth-missing';
  return weigh(
    defects.filter((each) => !isOther(each)),
    decision.families[0] === 'first',
  );
}
