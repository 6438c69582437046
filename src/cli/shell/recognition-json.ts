import type { Warning, WarningCode } from '../../agent/model.ts';
import type { Recognition } from '../../discovery/recognition.ts';
import type { RuleId } from '../../discovery/rules/rule-table.ts';
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

/** Warnings that stand among the defects already, each by its rule. */
const SAID: Readonly<Partial<Record<WarningCode, RuleId | 'any'>>> = {
  metadata_defect: 'any',
  unknown_identity_type: 'any',
  issuer_missing: 'issuer-missing',
  issuer_final_slash: 'issuer-final-slash',
  metadata_place: 'metadata-place',
  resource_covers: 'resource-differs',
  resource_differs: 'resource-differs',
  resource_final_slash: 'resource-differs',
};

/** The warnings that no rule says. */
export function otherWarnings(
  recognition: Recognition | undefined,
  warnings: readonly Warning[],
): readonly Warning[] {
  const isSaid = (code: WarningCode) =>
    SAID[code] === 'any' || recognition?.defects.some(({ rule }) => rule === SAID[code]);
  return warnings.filter(({ code }) => !isSaid(code));
}
