import { expect, it } from 'vitest';
import { withStatus } from '../../support/failing-checks.ts';
import { judgeMock } from '../../support/judge-mock.ts';

it('a listing whose services have values in common has each as often in XML as in JSON', async () => {
  const results = await judgeMock([], ['directory-xml'], {
    mock: {
      directory: {
        services: ['one', 'two', 'three'].map((name, at) => ({
          service_id: 400 + at,
          service_name: name,
          service_url: `/v2/${name}`,
          methods: [{ method_id: 400 + at, method_url: '/list.{format}' }],
        })),
      },
    },
  });
  expect(withStatus(results, ['pass']).map(({ id }) => id)).toContain('directory-xml.same-values');
});
