import { createHash } from 'node:crypto';
import { ownPackage } from '../../conformance/engine/own-package.ts';
import { renderJsonValue } from '../../conformance/reporters/json.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

interface SarifRun {
  readonly tool: string;
  readonly version: string;
  readonly rules: readonly object[];
  /** By which a place that keeps alerts tells runs of one kind; it ends in a slash. */
  readonly category: string;
  readonly invocation: object;
  readonly results: readonly object[];
}

/** A log of one run in SARIF 2.1.0, for a place that keeps alerts, such as the code scanning of GitHub. */
export function renderSarifLog(run: SarifRun): string {
  const { homepage } = ownPackage();
  return renderJsonValue({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: run.tool,
            semanticVersion: run.version,
            ...(homepage === undefined ? {} : { informationUri: homepage }),
            rules: run.rules,
          },
        },
        automationDetails: { id: run.category },
        invocations: [run.invocation],
        columnKind: 'utf16CodeUnits',
        results: run.results,
      },
    ],
  });
}

/** What makes a result the same one in the next run. */
export function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
