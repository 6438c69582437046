import { afterEach, expect, it, vi } from 'vitest';
import { ShownAttempts } from '../../src/mock-service/claim-secrets/shown-attempts.ts';
import { createMockService, openDatabase } from '../../src/mock-service/index.ts';
import { silentLog, systemClock, systemRandom } from '../../src/runtime/index.ts';
import { BASE } from './harness.ts';

afterEach(() => vi.restoreAllMocks());

it('notes the code of an attempt, and forgets it at a reset, once that is stored', async () => {
  const db = await openDatabase();
  const service = await createMockService({
    baseUrl: BASE,
    clock: systemClock,
    db,
    fetch,
    log: silentLog,
    random: systemRandom,
  });
  const note = vi.spyOn(ShownAttempts.prototype, 'note');
  const clear = vi.spyOn(ShownAttempts.prototype, 'clear');
  const register = () =>
    service.fetch(
      new Request(`${BASE}/agent/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'service_auth', login_hint: 'alice@example.com' }),
      }),
    );
  const transaction = db.transaction.bind(db);
  const failing = vi.spyOn(db, 'transaction').mockImplementation((work) =>
    transaction(async (tx) => {
      await work(tx);
      throw new Error('The disk is full.');
    }),
  );
  expect((await register()).status).toBeGreaterThanOrEqual(500);
  await expect(service.controls.reset()).rejects.toThrow('The disk is full.');
  expect(note).not.toHaveBeenCalled();
  expect(clear).not.toHaveBeenCalled();

  failing.mockRestore();
  expect((await register()).status).toBe(200);
  expect(note).toHaveBeenCalledOnce();
  await service.controls.reset();
  expect(clear).toHaveBeenCalledOnce();
  await service.close();
  await db.close();
});
