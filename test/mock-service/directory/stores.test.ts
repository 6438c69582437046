import { beforeEach, describe, expect, it } from 'vitest';
import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/index.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, type NewStore, type Open, postgresStores } from '../../support/stores.ts';
import { BASE } from '../harness.ts';
import { Directory } from './support.ts';

const ORDERS = {
  service_id: 400,
  service_name: 'orders',
  service_url: '/v2/orders',
  methods: [{ method_id: 4001, method_url: '/{order}.{format}' }],
};
const DIRECTORY = { services: [ORDERS, { service_name: null, methods: [{}] }] };

let open: Open;
let seed = 0;

/** One more process on the store. */
async function replica(options: Partial<MockServiceOptions> = {}): Promise<Directory> {
  seed += 1;
  return Directory.start({ ...options, db: await open(), random: new SeededRandom(seed) });
}

const idsOf = async (directory: Directory) =>
  (await directory.services()).data.map(({ service_id }) => service_id);

describe('a directory in a file', () => itIsShared(fileStores()));
describeWithDatabases('a directory in PostgreSQL', (server) => itIsShared(postgresStores(server)));

function itIsShared(newStore: NewStore): void {
  beforeEach(async () => {
    open = await newStore();
  });

  it('is filled once by processes that start together, configured or not', async () => {
    const started = await Promise.all([1, 2, 3].map(() => replica({ directory: DIRECTORY })));
    for (const each of started) expect(await idsOf(each)).toEqual([null, 400]);
    const again = await Promise.all([1, 2].map(() => replica()));
    for (const each of again) expect(await idsOf(each)).toHaveLength(7);
  });

  it('is changed for every process, and takes one of two changes that cannot both be', async () => {
    const [one, other] = [await replica(), await replica()];
    const added = await Promise.allSettled(
      [one, other].map(({ h }) => h.service.controls.addDirectoryService(ORDERS)),
    );
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await other.h.service.controls.setDirectoryService(400, { service_url: '/v2/all/orders' });
    expect((await one.ask('/v2/all/orders/7.json')).meta.method_id).toBe(4001);
    expect((await one.services()).data.at(-1)?.service_url).toBe(`${BASE}/v2/all/orders`);
    await one.h.service.controls.removeDirectoryService('orders');
    expect(await idsOf(other)).toHaveLength(7);
  });

  it('is restored as it was configured', async () => {
    const directory = await replica({ directory: DIRECTORY });
    await directory.h.service.controls.setDirectoryService(400, { service_id: null });
    expect(await idsOf(directory)).toEqual([null, null]);
    await directory.h.service.controls.reset();
    expect(await idsOf(directory)).toEqual([null, 400]);
  });
}
