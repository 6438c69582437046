import { expect, it } from 'vitest';
import { withStatus } from '../../support/failing-checks.ts';
import { judgeMock } from '../../support/judge-mock.ts';

/** Services whose ids, names and methods have values in common. */
const directory = {
  services: [400, 401, 402].map((id) => ({
    service_id: id,
    service_name: String(id),
    service_url: `/v2/${id}`,
    methods: [{ method_id: id, method_url: '/list.{format}' }],
  })),
};

it.each([
  { faults: [], status: 'pass' },
  { faults: ['missingXmlServiceNames'], status: 'fail' },
] as const)('counts each value of a listing in XML as often as in JSON: $status', async (row) => {
  const results = await judgeMock(row.faults, ['directory-xml'], { mock: { directory } });
  const ids = withStatus(results, [row.status]).map(({ id }) => id);
  expect(ids).toContain('directory-xml.same-values');
});
