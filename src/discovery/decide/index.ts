import type { Found } from '../find-block.ts';
import { judgeUrl } from '../judge-url.ts';
import type { Evidence } from '../model.ts';
import { claimGrant, grantTypes } from '../offers.ts';
import { proseRefusal, refusals } from '../refusals.ts';
import { type Decision, type Judged, type Question, UNDECIDED } from './decision.ts';
import { nothingThere } from './nothing-there.ts';
import { somethingThere } from './something-there.ts';
import { withoutBlock } from './without-block.ts';

/** First whether there is a registration at all, then which; the order of the research's section 3. */
export function decide(question: Question): Decision {
  const { found, registers } = question;
  if (found.block === undefined) return withoutBlock(question);
  const refused = refusals(found);
  const judged = registers.map(
    (member): Judged => ({ member, judgement: judgeUrl(found, member.value) }),
  );
  const real = judged.filter(({ judgement }) => judgement.is === 'real');
  const evidence = refused.map(
    ({ document, member, value, says }): Evidence => ({
      document,
      member,
      value,
      shows: says,
      families: [],
    }),
  );
  const [refusal] = refused;
  const [first] = judged;
  if (first === undefined) {
    const why = refusal === undefined ? '' : `, and ${refusal.says}`;
    return {
      ...UNDECIDED,
      evidence,
      verdict: 'published_only',
      reason: `It describes a registration of agents, but no URL to register at${why}.`,
    };
  }
  if (real.length === 0 || refusal !== undefined) return nothingThere(question, judged, evidence);
  const prose = proseRefusal(found);
  if (prose !== undefined && !goesOn(found)) {
    return {
      ...UNDECIDED,
      evidence: [{ ...prose, shows: prose.says, families: [] }],
      verdict: 'published_only',
      reason: `Agents cannot register: ${prose.says}.`,
    };
  }
  return somethingThere(question, real, judged);
}

/** Anything by which a registered agent would go on. */
function goesOn(found: Found): boolean {
  return (
    claimGrant(found) !== undefined ||
    grantTypes(found.server).some((grant) => grant.includes('jwt-bearer'))
  );
}
