import { decodeJwt, displayText, isJwtType, JWT_TYPE } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Service, Warning } from '../model.ts';

/** The claims of an ID-JAG that are used here; unverified, since the service alone can verify it. */
export interface IdJagFacts {
  readonly issuer: string | null;
  readonly email: string | null;
  readonly warnings: readonly Warning[];
}

/**
 * Whether an ID-JAG is for this service and still good: one that is for another service is not shown to
 * this one, and an expired one is not sent.
 * @param now the service's time.
 * @throws AgentError `not_an_id_jag`, `assertion_for_another_service` or `assertion_expired`.
 */
export function checkIdJag(assertion: Secret, service: Service, now: number): IdJagFacts {
  const jwt = decodeJwt(assertion.reveal());
  if (jwt === undefined) {
    throw new AgentError('The assertion is not a JWT.', { code: 'not_an_id_jag' });
  }
  const { header, payload } = jwt;
  if (header['typ'] !== undefined && !isJwtType(header['typ'], JWT_TYPE.idJag)) {
    throw new AgentError(
      `The assertion is not an ID-JAG: its type is ${displayText(String(header['typ']), 40)}.`,
      { code: 'not_an_id_jag', hint: `An ID-JAG has the type ${JWT_TYPE.idJag}.` },
    );
  }
  const warnings = checkAudience(payload['aud'], service);
  const { exp, iss, email } = payload;
  if (typeof exp === 'number' && exp * 1000 <= now) {
    throw new AgentError('The ID-JAG has expired, so it was not sent.', {
      code: 'assertion_expired',
      hint: 'Mint a new one.',
      next: { command: 'provider mint', args: ['--audience', service.issuer] },
    });
  }
  return {
    issuer: typeof iss === 'string' ? displayText(iss, 200) : null,
    email: typeof email === 'string' ? displayText(email, 254) : null,
    warnings,
  };
}

function checkAudience(aud: unknown, service: Service): readonly Warning[] {
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (audience === service.issuer) return [];
  if (audience === service.resource) {
    return [
      {
        code: 'audience_is_resource',
        message:
          'The ID-JAG names the resource as its audience; a strict service requires the issuer.',
      },
    ];
  }
  const named = typeof audience === 'string' ? displayText(audience, 100) : 'no single service';
  throw new AgentError(
    `The ID-JAG is for ${named}, not for ${displayText(service.issuer, 100)}, so it was not sent.`,
    {
      code: 'assertion_for_another_service',
      hint: 'Mint one for this service.',
      next: { command: 'provider mint', args: ['--audience', service.issuer] },
    },
  );
}
