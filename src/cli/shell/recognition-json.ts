import type { Recognition } from '../../discovery/model.ts';
import type { JsonData } from './output.ts';

/** What documents amount to: of a discovery that succeeded, and of one that failed. */
export function recognitionJson(recognition: Recognition): JsonData {
  const { verdict, reason, families, choices, evidence, defects, offers, hints } = recognition;
  return {
    verdict,
    reason,
    dialects: families,
    choices: choices.map(({ family, register, member }) => ({ dialect: family, register, member })),
    found_in: recognition.foundIn ?? null,
    credential_types: recognition.credentialTypes,
    credential_header: recognition.credentialHeader ?? null,
    wanted_members: recognition.wantedMembers,
    evidence: evidence.map(({ document, member, value, shows, families: speaksFor }) => ({
      document,
      member,
      value,
      shows,
      dialects: speaksFor,
    })),
    defects: defects.map(({ rule, severity, document, member, message, fix }) => ({
      rule,
      severity,
      document,
      member,
      message,
      fix: fix ?? null,
    })),
    offers,
    hints: hints.map(({ kind, url }) => ({ kind, url })),
  };
}
