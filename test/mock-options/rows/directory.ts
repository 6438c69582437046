import { none, type ServiceRow } from '../row.ts';

const ORDERS = { service_id: 7, service_name: 'orders', service_url: '/v1/orders', methods: null };

export const directoryRows: readonly ServiceRow[] = [
  {
    of: 'service',
    flag: none('a directory is a list of services with methods: `mock directory` changes it live'),
    config: `directory:
  services:
    - { service_id: 7, service_name: orders, service_url: /v1/orders, methods: null }`,
    library: { directory: { services: [ORDERS] } },
    probe: async (mock) => JSON.stringify(await mock.json('/api/services.json')).includes('orders'),
    seen: true,
    bad: [
      {
        value: 'seven',
        config: [
          'directory: { services: [{ service_id: seven }] }',
          '1:39  directory.services.0.service_id: expected null or an id, a whole number, not "seven"',
        ],
        library: [
          { directory: { services: [{ service_id: 'seven' as unknown as number }] } },
          'directory.services.0.service_id cannot be "seven": expected null or an id, a whole number.',
        ],
      },
    ],
  },
];
