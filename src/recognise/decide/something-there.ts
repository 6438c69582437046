import { weighFamilies } from '../families.ts';
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
  const candidates = places.map((judged) => ({ judged, weighed: weigh(judged) }));
  const fitting =
    family === undefined
      ? undefined
      : (candidates.find(({ weighed }) => weighed.families[0] === family) ??
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
      ? candidates.map(({ judged: one, weighed: its }) => choiceOf(one, its.families))
      : weighed.isEven
        ? families.filter((one) => one !== 'nested').map((one) => choiceOf(chosen, [one]))
        : [];
  if (family === undefined && choices.length > 1) {
    const what =
      places.length > 1
        ? `${choices.map(({ member }) => member).join(' and ')} name different URLs`
        : 'the documents speak as much for one family as for another';
    return {
      ...common,
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

function choiceOf({ member, judgement }: Judged, families: readonly FamilyId[]): Choice {
  return {
    family: families[0] ?? 'flat',
    register: judgement.is === 'nothing' ? '' : judgement.url,
    member: member.member,
  };
}

function urlOf({ judgement }: Judged): string | undefined {
  return judgement.is === 'nothing' ? undefined : judgement.url;
}

function differing(found: Found, places: readonly Judged[]): Defect {
  const names = places.map(({ member }) => member.member);
  return {
    rule: 'register_urls_differ',
    severity: 'warning',
    document: found.document,
    member: names[0] ?? inBlock(found, 'identity_endpoint'),
    message: `${names.join(' and ')} name different URLs to register at.`,
    fix: 'Give them the same URL.',
  };
}

function brokenBeside(found: Found, { member, judgement }: Judged): readonly Defect[] {
  if (judgement.is === 'real') return [];
  return [
    {
      rule: 'register_url_unusable',
      severity: 'warning',
      document: found.document,
      member: member.member,
      message: `${member.member} ${judgement.why}; another member names a URL that can be used.`,
      fix: 'Give it the same URL, or leave it out.',
    },
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
      : `; the first answer shows whether it is ${others.join(' or ')} instead`;
  return `Agents can register${but}: it looks like ${likely}${why}${rest}.`;
}
