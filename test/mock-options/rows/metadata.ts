import type { Row } from '../row.ts';

const DOCS = 'https://api.example/docs';
const OWN = 'the mock writes this member itself';
const NAME = 'service_documentation';

export const metadataRows: readonly Row[] = (['service', 'provider'] as const).map((of): Row => {
  const document = of === 'service' ? 'server' : 'provider';
  return {
    of,
    flag: ['--metadata', `${document}.${NAME}=${DOCS}`],
    config: `metadata: { ${document}: { ${NAME}: ${DOCS} } }`,
    library: { metadata: { [document]: { [NAME]: DOCS } } },
    probe: async (mock) => (await mock.json('/.well-known/oauth-authorization-server'))[NAME],
    seen: DOCS,
    bad: [
      {
        value: `${document}.issuer`,
        flag: [['--metadata', `${document}.issuer=x`], `--metadata ${document}.issuer=x: ${OWN}.`],
        library: [
          { metadata: { [document]: { issuer: 'x' } } },
          `metadata.${document}.issuer: ${OWN}.`,
        ],
      },
      {
        value: 'issuer',
        config: [
          `metadata: { ${document}: { issuer: x } }`,
          `1:${document.length + 25}  metadata.${document}.issuer: ${OWN}, not "x"`,
        ],
      },
    ],
  };
});
