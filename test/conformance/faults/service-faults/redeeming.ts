import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { atGranted } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type {
  REDEMPTION_CHECKS,
  RedemptionFacts,
} from '../../../../src/mock-service/redemption/redemption-checks.ts';

const { atHandler, on, withJson } = rewire;

type Json = Readonly<Record<string, unknown>>;
type CheckName = (typeof REDEMPTION_CHECKS)[number]['name'];

/** An ID-JAG that fails a check of its redemption is redeemed where this holds. */
export function tolerated(
  name: CheckName,
  isTolerated: (facts: RedemptionFacts) => boolean = () => true,
): Redecided {
  return (right) => ({
    ...right,
    redemptionChecks: right.redemptionChecks.map((check) =>
      check.name === name
        ? { ...check, holds: (facts) => isTolerated(facts) || check.holds(facts) }
        : check,
    ),
  });
}

/** A right ID-JAG is redeemed only where this holds. */
export function demanding(holds: (facts: RedemptionFacts) => boolean): Redecided {
  return (right) => ({
    ...right,
    redemptionChecks: [
      ...right.redemptionChecks,
      { name: 'further', claim: 'aud', description: 'a further demand', holds },
    ],
  });
}

/** Its claims are read as though they were others: at the token endpoint alone. */
export function redeemedAs(change: (claims: Json) => Json): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.token }, ({ decisions }, right) => {
      const readIdJag: typeof decisions.readIdJag = (claims, context) =>
        decisions.readIdJag(change(claims) as typeof claims, context);
      return (c) => right(c, { decisions: { ...decisions, readIdJag } });
    });
}

/** The answer to a redemption is another: that to a registration names no resource. */
export function answeringRedeemed(change: (body: Json) => Json): Tamper {
  return on(
    atGranted,
    withJson((body) => ('resource' in body ? change(body) : body)),
  );
}
