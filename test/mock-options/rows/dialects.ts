import { QUIRK_NAMES } from '../../../src/mock-service/dialects/index.ts';
import { DIALECT_IDS } from '../../../src/protocol/index.ts';
import type { Probed } from '../probed.ts';
import type { ServiceRow } from '../row.ts';

async function agentAuth(mock: Probed): Promise<Record<string, unknown>> {
  const metadata = await mock.json('/.well-known/oauth-authorization-server');
  return metadata['agent_auth'] as Record<string, unknown>;
}

/** What kind of value says when a claim token ends. */
async function timeOf(mock: Probed): Promise<string> {
  return typeof (await mock.post('/agent/identity', { type: 'anonymous' }))['claim_token_expires'];
}

const QUIRKS = `docs/dialects.md lists them: ${QUIRK_NAMES.join(', ')}.`;
const FITS = 'It does not fit the dialect first, but flat.';
const CONTRADICTS = 'It contradicts epoch-seconds: both are about times.';

export const dialectRows: readonly ServiceRow[] = [
  {
    of: 'service',
    flag: ['--dialect', 'first'],
    config: 'dialect: first',
    library: { dialect: 'first' },
    probe: async (mock) =>
      (await agentAuth(mock))['register_uri'] === `${mock.issuer}/agent/identity`,
    seen: true,
    bad: [
      {
        value: 'frist',
        flag: 'usual',
        library: `Did you mean first? Use ${DIALECT_IDS.join(', ')}.`,
      },
    ],
  },
  {
    of: 'service',
    flag: ['--quirk', 'epoch-seconds'],
    config: 'quirks: [epoch-seconds]',
    library: { quirks: ['epoch-seconds'] },
    probe: timeOf,
    seen: 'number',
    bad: [
      {
        value: 'epoch-second',
        flag: 'usual',
        library: `Did you mean epoch-seconds? ${QUIRKS}`,
      },
      {
        value: 'claim-by-token-only',
        flag: [
          ['--quirk', 'claim-by-token-only', '--dialect', 'first'],
          `Invalid --quirk 'claim-by-token-only'.`,
        ],
        library: [
          { quirks: ['claim-by-token-only'], dialect: 'first' },
          `quirks cannot be "claim-by-token-only". ${FITS}`,
        ],
      },
      {
        value: 'epoch-milliseconds',
        flag: [
          ['--quirk', 'epoch-seconds', '--quirk', 'epoch-milliseconds'],
          `Invalid --quirk 'epoch-milliseconds'.`,
        ],
        library: [
          { quirks: ['epoch-seconds', 'epoch-milliseconds'] },
          `quirks cannot be "epoch-milliseconds". ${CONTRADICTS}`,
        ],
      },
    ],
  },
];
