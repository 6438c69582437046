import type { ScenarioOutline } from '../../conformance/all-scenarios.ts';
import type { Role } from '../../conformance/engine/model.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { type Selection, selects } from '../../conformance/engine/selection.ts';
import { usageError } from '../shell/cli-error.ts';
import type { ReportOptions } from './report-options.ts';

/**
 * What `--only`, `--skip`, `--level` and `--safe` choose.
 * @throws CliError (usage) for a name that is none: a run that judges nothing would look green.
 */
export function readSelection(
  { only, skip, level }: ReportOptions,
  { role, scenarios, safe }: SelectionScope,
): Selection {
  for (const [flag, patterns] of Object.entries({ only, skip })) {
    for (const pattern of patterns ?? []) {
      if (!namesSome(pattern, scenarios)) {
        throw usageError(`--${flag} ${pattern} names no scenario and no check of a ${role}.`, {
          code: 'unknown_check',
          hint: `See: agent-auth conformance list --role ${role}`,
        });
      }
    }
  }
  return {
    ...(only && { only }),
    ...(skip && { skip }),
    ...(level && { level }),
    ...(safe !== undefined && { safe }),
  };
}

export interface SelectionScope {
  readonly role: Role;
  readonly scenarios: readonly ScenarioOutline[];
  readonly safe?: boolean;
}

function namesSome(pattern: string, scenarios: readonly ScenarioOutline[]): boolean {
  return scenarios.some((scenario) =>
    checkIds(scenario).some((id) =>
      selects({ only: [pattern] }, { id, scenario: scenario.id, level: 'must' }),
    ),
  );
}
