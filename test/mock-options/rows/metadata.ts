import type { Row } from '../row.ts';

const DOCS = 'https://api.example/docs';
const NO_NAME = 'no member can have this name';
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
        value: `${document}.constructor`,
        flag: [
          ['--metadata', `${document}.constructor=x`],
          `--metadata ${document}.constructor=x: ${NO_NAME}.`,
        ],
        library: [
          { metadata: { [document]: { constructor: 'x' } } },
          `metadata.${document}.constructor: ${NO_NAME}.`,
        ],
      },
      {
        value: 'constructor',
        config: [
          `metadata: { ${document}: { constructor: x } }`,
          `1:${document.length + 30}  metadata.${document}.constructor: ${NO_NAME}`,
        ],
      },
    ],
  };
});
