import type { Defect } from '../model.ts';
import { aboutCeremony } from './about-ceremony.ts';
import { aboutIssuer } from './about-issuer.ts';
import { aboutOthers } from './about-others.ts';
import { aboutRegister } from './about-register.ts';
import { aboutTypes } from './about-types.ts';
import { aboutUrls } from './about-urls.ts';
import type { Read } from './read.ts';

/** What the publisher of the documents should mend. */
export function findDefects(read: Read): readonly Defect[] {
  return [
    ...aboutUrls(read),
    ...aboutIssuer(read),
    ...(read.found.block === undefined
      ? []
      : [
          ...aboutRegister(read),
          ...aboutTypes(read),
          ...aboutCeremony(read),
          ...aboutOthers(read),
        ]),
  ];
}
