import { defect } from '../defect.ts';
import { type Weighed, weighFamilies } from '../families.ts';
import { type Found, inBlock } from '../find-block.ts';
import type { IdentityTypes } from '../identity-types.ts';
import type { Choice, Defect, Evidence, FamilyId } from '../model.ts';
import { isSamePlace } from '../url.ts';
import type { Decision, Judged, Question } from './decision.ts';

/** At least one URL is real: which family, or which question decides. */
export function somethingThere(
  { found, types, family }: Question,
  real: readonly Judged[],
  judged: readonly Judged[],
): Decision {
  const weigh = ({ member }: Judged) => weighFamilies({ found, types, register: member });
  const places = real.filter(
    (one, index) => !real.slice(0, index).some((other) => isSamePlace(urlOf(one), urlOf(other))),
  );
  const [top = real[0] as Judged] = places;
  const candidates = apart(places.map((judged) => ({ judged, weighed: weigh(judged) })));
  const fitting =
    family === undefined
      ? undefined
      : (candidates.find((one) => one.family === family) ??
        candidates.find(({ weighed }) => weighed.families.includes(family)));
  const { judged: chosen, weighed } = fitting ?? { judged: top, weighed: weigh(top) };
  const families =
    family === undefined
      ? weighed.families
      : [family, ...weighed.families.filter((other) => other !== family)];
  const defects = judged.flatMap((one) => brokenBeside(found, one));
  const common = {
    evidence: weighed.evidence,
    chosen: chosen.member,
    register: urlOf(chosen),
    families,
  };
  const choices =
    places.length > 1
      ? candidates.map((one) => choiceOf(one.judged, one.family))
      : weighed.isEven
        ? families.filter((one) => one !== 'nested').map((one) => choiceOf(chosen, one))
        : [];
  if (family === undefined && choices.length > 1) {
    const what =
      places.length > 1
        ? `${choices.map(({ member }) => member).join(' and ')} name different URLs`
        : 'the documents speak as much for one family as for another';
    return {
      ...common,
      families: [...new Set([...families, ...choices.map((choice) => choice.family)])],
      choices,
      defects: places.length > 1 ? [...defects, differing(found, places)] : defects,
      verdict: 'choice',
      reason: `Agents can register once you say which is meant: ${what}.`,
    };
  }
  return {
    ...common,
    choices: [],
    defects,
    verdict: 'usable',
    reason: reasonFor(families, family === undefined ? weighed.deciding : undefined, types),
  };
}

interface Candidate {
  readonly judged: Judged;
  readonly weighed: Weighed;
}

/**
 * Candidates with a family each, by which they are told apart: what else the documents hold speaks for the URL
 * of the newer name, and a URL of the older name beside it is that of the first versions. One that is left
 * without a family of its own cannot be chosen.
 */
function apart(
  candidates: readonly Candidate[],
): readonly (Candidate & { readonly family: FamilyId })[] {
  const isMixed = candidates.some(({ judged }) => judged.member.age === 'new');
  const used = new Set<FamilyId>();
  return candidates.flatMap((candidate) => {
    const { judged, weighed } = candidate;
    const isOlder = isMixed && judged.member.age !== 'new';
    const likely: readonly FamilyId[] = isOlder ? ['first', ...weighed.families] : weighed.families;
    const family = likely.find((one) => !used.has(one));
    if (family === undefined) return [];
    used.add(family);
    return [{ ...candidate, family }];
  });
}

function choiceOf({ member, judgement }: Judged, family: FamilyId): Choice {
  return {
    family,
    register: judgement.is === 'nothing' ? '' : judgement.url,
    member: member.member,
  };
}

function urlOf({ judgement }: Judged): string | undefined {
  return judgement.is === 'nothing' ? undefined : judgement.url;
}

function differing(found: Found, places: readonly Judged[]): Defect {
  const names = places.map(({ member }) => member.member);
  return defect(
    'register-urls-differ',
    'warning',
    [found.document, names[0] ?? inBlock(found, 'identity_endpoint')],
    `${names.join(' and ')} name different URLs to register at.`,
    'Give them the same URL.',
  );
}

function brokenBeside(found: Found, { member, judgement }: Judged): readonly Defect[] {
  if (judgement.is === 'real') return [];
  return [
    defect(
      'register-url-unusable',
      'warning',
      [found.document, member.member],
      `${member.member} ${judgement.why}; another member names a URL that can be used.`,
      'Give it the same URL, or leave it out.',
    ),
  ];
}

function reasonFor(
  [likely = 'flat', ...others]: readonly FamilyId[],
  because: Evidence | undefined,
  types: IdentityTypes,
): string {
  const but =
    types.known.length === 0 && types.member !== undefined
      ? ', but by no identity type of this protocol'
      : '';
  const why = because === undefined ? '' : ` by ${because.member} (${because.shows})`;
  const rest =
    others.length === 0
      ? ''
      : `; it may as well be ${others.join(' or ')}, which is no mistake: the first answer shows it`;
  return `Agents can register${but}: it looks like ${likely}${why}${rest}.`;
}
